import { PRIORITIES, type TeamMessage, type Waiting } from "../../core/agent/team.ts";

/** The messages of one agent. Each is given out once, and again only if the call that received it was aborted. */
export type Inbox = ReturnType<typeof createInbox>;

interface Waiter {
  readonly from: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly resolve: (messages: readonly TeamMessage[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates an empty inbox; `wasRead` is called once for each message that was read. */
export function createInbox(wasRead: (message: TeamMessage) => void) {
  let unread: readonly TeamMessage[] = [];
  let delivered: readonly Given[] = [];
  const waiters = new Set<Waiter>();
  const take = (from?: readonly string[], signal?: AbortSignal): readonly TeamMessage[] => {
    const messages = choose(unread, from);
    if (messages.length === 0) return messages;
    const taken = new Set(messages);
    unread = unread.filter((message) => !taken.has(message));
    delivered = [...delivered, { messages, signal }];
    return messages;
  };
  const settle = (): void => {
    for (const { messages, signal } of delivered) {
      if (signal?.aborted === true) unread = [...unread, ...messages];
      else for (const message of messages) wasRead(message);
    }
    delivered = [];
  };
  const release = (): void => {
    for (const { resolve } of waiters) resolve([]);
  };
  return {
    get unread(): number {
      return unread.length;
    },
    put(message: TeamMessage): void {
      unread = [...unread, message];
      for (const { from, signal, resolve } of waiters) {
        const taken = take(from, signal);
        if (taken.length > 0) return resolve(taken);
      }
    },
    /** Returns the most urgent messages first, then the oldest; as many as a model can read at once. */
    take(): readonly TeamMessage[] {
      settle();
      return take();
    },
    /** Returns waiting messages, or the next that arrives; none after the timeout. Rejects if it is aborted or given up. */
    async wait({ timeoutMs, from, signal }: Omit<Waiting, "by">): Promise<readonly TeamMessage[]> {
      settle();
      signal.throwIfAborted();
      const messages = take(from, signal);
      return messages.length > 0 ? messages : waitIn(waiters, { from, signal, timeoutMs });
    },
    /** Marks given messages as read, or makes them unread again if their call was aborted. */
    settle,
    /** Ends all waits without a message. */
    release,
    /** Rejects the waits for which `why` returns an error. */
    giveUp(why: (from: readonly string[] | undefined) => Error | undefined): void {
      for (const { from, reject } of waiters) {
        const error = why(from);
        if (error !== undefined) reject(error);
      }
    },
    /** Ends all waits and returns the unread messages. */
    close(): readonly TeamMessage[] {
      settle();
      release();
      const left = unread;
      unread = [];
      return left;
    },
  };
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

/** How much is given out at once. */
const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 60_000;

interface Given {
  readonly messages: readonly TeamMessage[];
  /** If aborted, the call that received them never answered the model. */
  readonly signal: AbortSignal | undefined;
}

function choose(unread: readonly TeamMessage[], from: readonly string[] | undefined): readonly TeamMessage[] {
  const matching = from === undefined ? unread : unread.filter((message) => from.includes(message.from.id));
  const chosen: TeamMessage[] = [];
  let characters = 0;
  for (const message of matching.toSorted(byUrgency)) {
    characters += message.text.length;
    const isFull = chosen.length >= MAX_MESSAGES || characters > MAX_CHARACTERS;
    if (isFull && chosen.length > 0) break;
    chosen.push(message);
  }
  return chosen;
}

/** The sort is stable, so messages of the same millisecond stay in order. */
function byUrgency(a: TeamMessage, b: TeamMessage): number {
  return PRIORITIES.indexOf(b.priority) - PRIORITIES.indexOf(a.priority) || a.at - b.at;
}
