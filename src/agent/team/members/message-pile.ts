import type { TeamMessage } from "../../../core/agent/team.ts";
import { PRIORITIES } from "../../../core/agent/team.ts";

/** Messages that wait, and those that were given out and may come back. */
export interface MessagePile {
  readonly size: number;
  add(message: TeamMessage): void;
  /**
   * Gives out the most urgent first, then the oldest, as many as a reader can take at a time: of all senders, or of these. Where the
   * signal is aborted afterwards, whoever had them could not read them.
   */
  take(from?: readonly string[], signal?: AbortSignal): readonly TeamMessage[];
  /** What was given out has been read, or comes back. */
  readonly settle: () => void;
  /** Gives back what was not read, and is empty. */
  clear(): readonly TeamMessage[];
}

/** What is given out at once; a model has only so much room. */
const MOST_MESSAGES = 50;
const MOST_CHARACTERS = 60_000;

interface GivenOut {
  readonly messages: readonly TeamMessage[];
  readonly signal: AbortSignal | undefined;
}

export function createMessagePile(wasRead: (message: TeamMessage) => void): MessagePile {
  let unread: readonly TeamMessage[] = [];
  let givenOut: readonly GivenOut[] = [];
  return {
    get size() {
      return unread.length;
    },
    add(message) {
      unread = [...unread, message];
    },
    take(from, signal) {
      const messages = choose(unread, from);
      if (messages.length === 0) return messages;
      const taken = new Set(messages);
      unread = unread.filter((message) => !taken.has(message));
      givenOut = [...givenOut, { messages, signal }];
      return messages;
    },
    settle() {
      for (const { messages, signal } of givenOut) {
        // The answer of a call that was cut short never reached the model.
        if (signal?.aborted === true) unread = [...unread, ...messages];
        else for (const message of messages) wasRead(message);
      }
      givenOut = [];
    },
    clear() {
      const left = unread;
      unread = [];
      return left;
    },
  };
}

function choose(unread: readonly TeamMessage[], from: readonly string[] | undefined): readonly TeamMessage[] {
  const fitting = from === undefined ? unread : unread.filter((message) => from.includes(message.from.id));
  const chosen: TeamMessage[] = [];
  let characters = 0;
  for (const message of fitting.toSorted(byUrgency)) {
    characters += message.text.length;
    const isFull = chosen.length >= MOST_MESSAGES || characters > MOST_CHARACTERS;
    if (isFull && chosen.length > 0) break;
    chosen.push(message);
  }
  return chosen;
}

/** Sorting keeps the order of those that came in the same millisecond. */
function byUrgency(a: TeamMessage, b: TeamMessage): number {
  return PRIORITIES.indexOf(b.priority) - PRIORITIES.indexOf(a.priority) || a.at - b.at;
}
