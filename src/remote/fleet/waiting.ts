import type { Msg } from "@nats-io/transport-node";
import type { Progress } from "../../core/context.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { persist } from "../../store/nats/nats.ts";
import { attempt } from "../../util/async/attempt.ts";
import { mapConcurrent } from "../../util/async/map-concurrent.ts";
import type { Answers } from "./answers.ts";
import { readConfirmation } from "./publisher.ts";
import type { FleetStreams } from "./streams.ts";
import { MESSAGE_ID, type AnswerNotice, type Refusal, type SealedNotice, type StoredAnswer } from "./wire.ts";

/** A caller that waits for the answer of a key. */
export interface Waiter {
  /** Returns the sequence number of the call in its queue, once the servers have confirmed it. */
  readonly sequence: () => number | undefined;
  readonly onProgress: (progress: Progress) => void;
  readonly onAnswer: (answer: StoredAnswer) => void;
  readonly onRefused: (refusal: Refusal) => void;
  /** The servers have neither the call nor an answer: after several crashes they may have lost what they had stored. */
  readonly onLost: () => void;
}

interface Wait {
  readonly waiters: Set<Waiter>;
  /** Sealed answers by the publisher that stores them; one of them will be confirmed. */
  readonly unconfirmed: Map<string, string>;
  attempt: number;
  isLooking: boolean;
  lookedAt: number;
}

/** Answers are sent to the engine, and looked for as well: one may be lost on the way, or be for another engine that asked first. */
const LOOK_MS = 1000;
/** For so many calls, those that were not looked at for the longest time: more would be a load for the servers. */
const LOOKS = 200;
/** Of more calls that have left the queue while others wait in it, their list is too long to be read each second. */
const MAX_LISTED = 20_000;

/**
 * Opens the calls of an engine that have no answer yet. Listens for the notices of workers to this engine, and for the servers' confirmations
 * of their answers.
 */
export function openWaiting(streams: FleetStreams, answers: Answers, engineId: string) {
  const { listen, names, manager, onReconnect, seals } = streams;
  const waits = new Map<string, Wait>();
  const { deliver, look } = createDelivery(waits, answers, (key, sequence) =>
    isQueued(streams, key, sequence),
  );
  const { receive, takeAnswer, confirm } = createReceiver(waits, deliver, look);
  /** Never rejects. */
  const lookAll = async (keys: Promise<readonly string[]>): Promise<void> => {
    await keys.then((all) => mapConcurrent(all, LOOKS, look)).catch(() => undefined);
  };
  let isSweeping = false;
  /** One at a time: slow servers would get more and more requests. */
  const sweepGone = async (): Promise<void> => {
    if (isSweeping || waits.size <= LOOKS) return;
    isSweeping = true;
    await lookAll(keysOfGone(streams, waits));
    isSweeping = false;
  };
  const subscriptions = [
    listen(names.replySubject(engineId), (message) => {
      const text = message.string();
      const isPlain = text.startsWith("{");
      const notice = parseObject(isPlain ? text : seals.unseal("notice", engineId, text));
      if (notice === undefined) return;
      if (isPlain) takeAnswer(notice as unknown as AnswerNotice);
      else receive(notice as unknown as SealedNotice);
    }),
    listen(names.storedSubject("*", engineId, "*"), confirm),
  ];
  const sweep = setInterval(() => {
    void sweepGone();
    const before = performance.now() - LOOK_MS;
    for (const [key, wait] of [...waits].slice(0, LOOKS)) {
      if (wait.lookedAt > before) break;
      wait.lookedAt = performance.now();
      waits.delete(key);
      waits.set(key, wait);
      void look(key);
    }
  }, LOOK_MS);
  onReconnect(() => {
    // The servers may still elect a leader.
    const ready = persist(() => manager.streams.info(names.answers));
    void lookAll(ready.then(() => [...waits.keys()]));
  });
  return {
    /** Returns a function that ends the wait. */
    add(key: string, waiter: Waiter): () => void {
      const wait = waits.get(key) ?? newWait();
      waits.set(key, wait);
      wait.waiters.add(waiter);
      return () => {
        wait.waiters.delete(waiter);
        if (wait.waiters.size === 0) waits.delete(key);
      };
    },
    /** Looks for the answer in the stream now. */
    look: (key: string): void => void look(key),
    close(): void {
      clearInterval(sweep);
      for (const one of subscriptions) one.close();
    },
  };
}

/** Creates the functions that take notices of workers and confirmations of the servers. */
function createReceiver(
  waits: ReadonlyMap<string, Wait>,
  deliver: (key: string, sealed: string) => void,
  look: (key: string) => Promise<void>,
) {
  const takeAnswer = ({ key, answer, publisher }: AnswerNotice): void => {
    const wait = waits.get(key);
    if (wait === undefined) return;
    if (typeof answer !== "string") void look(key);
    else if (publisher === undefined) deliver(key, answer);
    else wait.unconfirmed.set(publisher, answer);
  };
  const receive = (notice: SealedNotice): void => {
    const wait = waits.get(notice.key);
    if (wait === undefined) return;
    if (notice.type === "refused") return wait.waiters.forEach((one) => one.onRefused(notice.refusal));
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
    if (answer === undefined) void look(key);
    else deliver(key, answer);
  };
  return { receive, takeAnswer, confirm };
}

function newWait(): Wait {
  const lookedAt = performance.now();
  return { waiters: new Set(), unconfirmed: new Map(), attempt: 0, isLooking: false, lookedAt };
}

/** Creates the functions that give an answer to its waiters: one that has come, and one that may be in the stream. They never reject. */
function createDelivery(
  waits: ReadonlyMap<string, Wait>,
  answers: Answers,
  isInQueue: (key: string, sequence: number) => Promise<boolean>,
) {
  const give = async (key: string, sealed: string): Promise<void> => {
    const answer = await answers.load(key, sealed);
    if (answer === undefined) return;
    for (const { onAnswer } of waits.get(key)?.waiters ?? []) onAnswer(answer);
  };
  const find = async (key: string, wait: Wait): Promise<void> => {
    const sequence = sequenceOf(wait);
    // In this order: a call leaves its queue when its answer is stored.
    const isThere = sequence === undefined || (await isInQueue(key, sequence));
    const answer = await answers.read(key);
    if (answer?.state?.state === "answered") await give(key, answer.sealed);
    else if (!isThere) for (const { onLost } of wait.waiters) onLost();
  };
  return {
    deliver: (key: string, sealed: string): void => void give(key, sealed).catch(() => undefined),
    look: async (key: string): Promise<void> => {
      const wait = waits.get(key);
      if (wait === undefined || wait.isLooking) return;
      wait.isLooking = true;
      // The next look may be luckier.
      await find(key, wait).catch(() => undefined);
      wait.isLooking = false;
    },
  };
}

/** Returns the object in a text, or undefined if it has none. */
function parseObject(text: string | undefined): JsonObject | undefined {
  const value = text === undefined ? undefined : attempt(() => JSON.parse(text) as Json);
  return isObject(value) ? value : undefined;
}

function sequenceOf({ waiters }: Wait): number | undefined {
  return [...waiters].map((one) => one.sequence()).find((one) => one !== undefined);
}

/** Returns the keys of calls that have left the queue, as a call does when its answer is stored. Asks for all calls at once. */
async function keysOfGone(
  { names, manager }: FleetStreams,
  waits: ReadonlyMap<string, Wait>,
): Promise<readonly string[]> {
  const { state } = await manager.streams.info(names.calls);
  const { num_deleted: count } = state;
  const details = { deleted_details: true };
  const isListed = count > 0 && count <= MAX_LISTED;
  const listed = isListed ? (await manager.streams.info(names.calls, details)).state.deleted : undefined;
  const deleted = new Set(listed);
  const before = performance.now() - LOOK_MS;
  const gone = [...waits].filter(([, wait]) => {
    const sequence = wait.lookedAt <= before ? sequenceOf(wait) : undefined;
    return sequence !== undefined && (sequence < state.first_seq || deleted.has(sequence));
  });
  return gone.map(([key]) => key);
}

/** Returns true if the queue has this call at this sequence number. */
export async function isQueued(
  { names, manager }: FleetStreams,
  key: string,
  sequence: number,
): Promise<boolean> {
  const stored = await manager.streams.getMessage(names.calls, { seq: sequence });
  return stored?.header.get(MESSAGE_ID) === key;
}
