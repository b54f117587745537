import type { Progress } from "../../core/context.ts";
import type { Answers } from "./answers.ts";
import type { Msg } from "@nats-io/transport-node";
import type { FleetConnection } from "./connect.ts";
import { readConfirmation } from "./publisher.ts";
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
  /** Answers by the publisher that stores them; one of them will be confirmed. */
  readonly unconfirmed: Map<string, StoredState>;
  attempt: number;
  isLooking: boolean;
}

/** A worker sends its answers; one that is gone may have stored an answer without sending it. */
const LOOK_MS = 1000;

/** Listens for the notices of workers to this engine, and for the servers' confirmations of their answers. */
export function openWaiting({ nc, names }: FleetConnection, answers: Answers, engineId: string): Waiting {
  const waits = new Map<string, Wait>();
  const { deliver, look } = createDelivery(waits, answers);
  const receive = (notice: Notice): void => {
    const wait = waits.get(notice.key);
    if (wait === undefined) return;
    if (notice.type === "answered") {
      const { key, answer, publisher } = notice;
      if (answer === undefined) look(key);
      else if (publisher === undefined) deliver(key, answer);
      else wait.unconfirmed.set(publisher, answer);
      return;
    }
    if (notice.type === "refused") return wait.waiters.forEach((one) => one.onRefused(notice.message));
    // A worker that was taken for dead may still send.
    if (notice.attempt < wait.attempt) return;
    wait.attempt = notice.attempt;
    for (const { onProgress } of wait.waiters) onProgress(notice.progress);
  };
  const confirm = (message: Msg): void => {
    const [key = "", , publisher = ""] = message.subject.split(".").toReversed();
    const wait = waits.get(key);
    if (wait === undefined || readConfirmation(message) instanceof Error) return;
    const answer = wait.unconfirmed.get(publisher);
    if (answer === undefined) look(key);
    else deliver(key, answer);
  };
  const subscriptions = [
    nc.subscribe(names.replySubject(engineId), { callback: (_error, one) => receive(one.json<Notice>()) }),
    nc.subscribe(names.storedSubject("*", engineId, "*"), { callback: (_error, one) => confirm(one) }),
  ];
  const sweep = setInterval(() => {
    const before = performance.now() - LOOK_MS;
    for (const [key, { since }] of waits) if (since < before) look(key);
  }, LOOK_MS);
  return {
    add(key, waiter) {
      const wait = waits.get(key) ?? newWait();
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
      for (const one of subscriptions) one.unsubscribe();
    },
  };
}

function newWait(): Wait {
  const since = performance.now();
  return { waiters: new Set(), since, unconfirmed: new Map(), attempt: 0, isLooking: false };
}

/** Creates the functions that give an answer to its waiters: one that has come, and one that may be in the stream. */
function createDelivery(waits: ReadonlyMap<string, Wait>, answers: Answers) {
  const give = async (key: string, state: StoredState): Promise<void> => {
    const answer = await answers.load(key, state);
    if (answer === undefined) return;
    for (const { onAnswer } of waits.get(key)?.waiters ?? []) onAnswer(answer);
  };
  return {
    deliver: (key: string, state: StoredState): void => void give(key, state).catch(() => undefined),
    look: (key: string): void => {
      const wait = waits.get(key);
      if (wait === undefined || wait.isLooking) return;
      wait.isLooking = true;
      answers
        .read(key)
        .then((found) => found && give(key, found.state))
        // The next look may be luckier.
        .catch(() => undefined)
        .finally(() => (wait.isLooking = false));
    },
  };
}
