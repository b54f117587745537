import type { TeamMessage, Waiting } from "../../../core/agent/team.ts";
import { createMessagePile } from "./message-pile.ts";

/** The messages of one agent. Each is given out once, and again only where whoever had it could not read it. */
export interface Mailbox {
  readonly unread: number;
  put(message: TeamMessage): void;
  /** The most urgent first, then the oldest; as many as a reader can take at a time. */
  take(): readonly TeamMessage[];
  /** What waits, or what comes first; none when the time is over. Rejects where it is cancelled or cannot come any more. */
  wait(waiting: Omit<Waiting, "by">): Promise<readonly TeamMessage[]>;
  /** Those who took messages have read them, or could not: then they wait again. */
  readonly settle: () => void;
  /** Ends all waits, empty: something else wants the agent's attention. */
  release(): void;
  /** Ends the waits for which `why` gives an error. */
  giveUp(why: (from: readonly string[] | undefined) => Error | undefined): void;
  /** Nobody reads here any more; gives back what was not read. */
  close(): readonly TeamMessage[];
}

interface Waiter {
  readonly from: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly resolve: (messages: readonly TeamMessage[]) => void;
  readonly reject: (error: unknown) => void;
}

export function createMailbox(wasRead: (message: TeamMessage) => void): Mailbox {
  const pile = createMessagePile(wasRead);
  const waiters = new Set<Waiter>();
  const release = (): void => {
    for (const { resolve } of waiters) resolve([]);
  };
  return {
    get unread() {
      return pile.size;
    },
    put(message) {
      pile.add(message);
      for (const { from, signal, resolve } of waiters) {
        const found = pile.take(from, signal);
        if (found.length > 0) return resolve(found);
      }
    },
    take() {
      pile.settle();
      return pile.take();
    },
    async wait({ timeoutMs, from, signal }) {
      pile.settle();
      signal.throwIfAborted();
      const found = pile.take(from, signal);
      return found.length > 0 ? found : waitIn(waiters, { from, signal, timeoutMs });
    },
    settle: pile.settle,
    release,
    giveUp(why) {
      for (const { from, reject } of waiters) {
        const error = why(from);
        if (error !== undefined) reject(error);
      }
    },
    close() {
      pile.settle();
      release();
      return pile.clear();
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
