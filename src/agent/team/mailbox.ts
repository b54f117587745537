import type { TeamMessage, Waiting } from "../../core/team.ts";
import { PRIORITIES } from "../../core/team.ts";

/** The messages of one agent. Each is given out once, and again only where whoever had it could not read it. */
export interface Mailbox {
  readonly unread: number;
  put(message: TeamMessage): void;
  /** The most urgent first, then the oldest; as many as a reader can take at a time. */
  take(): readonly TeamMessage[];
  /** What waits, or what comes first; none when the time is over. Rejects where it is cancelled or cannot come any more. */
  wait(waiting: Omit<Waiting, "by">): Promise<readonly TeamMessage[]>;
  /** Those who took messages have read them, or could not: then they wait again. */
  settle(): void;
  /** Ends the waits for which `why` gives an error. */
  giveUp(why: (from: readonly string[] | undefined) => Error | undefined): void;
  /** Nobody reads here any more; gives back what was not read. */
  close(): readonly TeamMessage[];
}

/** What is given out at once; a model has only so much room. */
const MOST_MESSAGES = 50;
const MOST_CHARACTERS = 60_000;

interface Waiter {
  readonly from: readonly string[] | undefined;
  readonly signal: AbortSignal;
  resolve(messages: readonly TeamMessage[]): void;
  reject(error: unknown): void;
}

interface Handed {
  readonly messages: readonly TeamMessage[];
  readonly signal: AbortSignal | undefined;
}

export function createMailbox(wasRead: (message: TeamMessage) => void): Mailbox {
  const waiters = new Set<Waiter>();
  let unread: readonly TeamMessage[] = [];
  let handed: readonly Handed[] = [];

  const hand = (chosen: readonly TeamMessage[], signal: AbortSignal | undefined): readonly TeamMessage[] => {
    const taken = new Set(chosen);
    unread = unread.filter((message) => !taken.has(message));
    handed = [...handed, { messages: chosen, signal }];
    return chosen;
  };

  const settle = (): void => {
    for (const { messages, signal } of handed) {
      // The answer of a call that was cut short never reached the model.
      if (signal?.aborted === true) unread = [...unread, ...messages];
      else for (const message of messages) wasRead(message);
    }
    handed = [];
  };

  return {
    get unread() {
      return unread.length;
    },
    put(message) {
      unread = [...unread, message];
      for (const waiter of waiters) {
        const found = choose(unread, waiter.from);
        if (found.length > 0) return waiter.resolve(hand(found, waiter.signal));
      }
    },
    take() {
      settle();
      return hand(choose(unread, undefined), undefined);
    },
    async wait({ timeoutMs, from, signal }) {
      settle();
      signal.throwIfAborted();
      const found = choose(unread, from);
      if (found.length > 0) return hand(found, signal);
      return waitIn(waiters, { from, signal, timeoutMs });
    },
    settle,
    giveUp(why) {
      for (const waiter of waiters) {
        const error = why(waiter.from);
        if (error !== undefined) waiter.reject(error);
      }
    },
    close() {
      settle();
      for (const waiter of waiters) waiter.resolve([]);
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

function waitIn(
  waiters: Set<Waiter>,
  { from, signal, timeoutMs }: Pick<Waiter, "from" | "signal"> & { readonly timeoutMs: number },
): Promise<readonly TeamMessage[]> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      waiters.delete(waiter);
    };
    const waiter: Waiter = {
      from,
      signal,
      resolve: (messages) => (stop(), resolve(messages)),
      reject: (error) => (stop(), reject(error)),
    };
    const abort = (): void => waiter.reject(signal.reason);
    const timer = setTimeout(() => waiter.resolve([]), timeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    waiters.add(waiter);
  });
}
