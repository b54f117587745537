import type { Progress } from "../../core/context.ts";
import type { Answers } from "./answers.ts";
import type { FleetConnection } from "./connect.ts";
import type { Notice, StoredAnswer, StoredState } from "./wire.ts";

/** A caller that waits for the answer of a key. */
export interface Waiter {
  readonly onProgress: (progress: Progress) => void;
  readonly onAnswer: (answer: StoredAnswer) => void;
  readonly onRefused: (message: string) => void;
}

/** The calls of an engine that have no answer yet. */
export interface Waiting {
  /** Returns a function that ends the wait. */
  add(key: string, waiter: Waiter): () => void;
  /** Looks for the answer in the stream now. */
  look(key: string): void;
  close(): void;
}

interface Wait {
  readonly waiters: Set<Waiter>;
  readonly since: number;
  attempt: number;
  isLooking: boolean;
}

/** A worker sends its answers; one that is gone may have stored an answer without sending it. */
const LOOK_MS = 1000;

/** Listens for the notices of workers to this engine. */
export function openWaiting({ nc, names }: FleetConnection, answers: Answers, engineId: string): Waiting {
  const waits = new Map<string, Wait>();
  const deliver = async (key: string, state: StoredState | undefined): Promise<void> => {
    const answer = state === undefined ? undefined : await answers.load(key, state);
    if (answer === undefined) return;
    for (const { onAnswer } of waits.get(key)?.waiters ?? []) onAnswer(answer);
  };
  const look = (key: string): void => {
    const wait = waits.get(key);
    if (wait === undefined || wait.isLooking) return;
    wait.isLooking = true;
    answers
      .read(key)
      .then((found) => deliver(key, found?.state))
      // The next look may be luckier.
      .catch(() => undefined)
      .finally(() => (wait.isLooking = false));
  };
  const receive = (notice: Notice): void => {
    const wait = waits.get(notice.key);
    if (wait === undefined) return;
    if (notice.type === "answered" && notice.answer === undefined) return look(notice.key);
    if (notice.type === "answered") return void deliver(notice.key, notice.answer).catch(() => undefined);
    if (notice.type === "refused") return wait.waiters.forEach((one) => one.onRefused(notice.message));
    // A worker that was taken for dead may still send.
    if (notice.attempt < wait.attempt) return;
    wait.attempt = notice.attempt;
    for (const { onProgress } of wait.waiters) onProgress(notice.progress);
  };
  const subscription = nc.subscribe(names.replySubject(engineId), {
    callback: (_error, message) => receive(message.json<Notice>()),
  });
  const sweep = setInterval(() => {
    const before = performance.now() - LOOK_MS;
    for (const [key, { since }] of waits) if (since < before) look(key);
  }, LOOK_MS);
  return {
    add(key, waiter) {
      const wait = waits.get(key) ?? {
        waiters: new Set<Waiter>(),
        since: performance.now(),
        attempt: 0,
        isLooking: false,
      };
      waits.set(key, wait);
      wait.waiters.add(waiter);
      return () => {
        wait.waiters.delete(waiter);
        if (wait.waiters.size === 0) waits.delete(key);
      };
    },
    look,
    close() {
      clearInterval(sweep);
      subscription.unsubscribe();
    },
  };
}
