import type { Fault } from "../../../core/result.ts";
import { maxPayload } from "../../../store/nats/nats.ts";
import { defined } from "../../../util/json/defined.ts";
import { createTally } from "../../tally.ts";
import { openAnswers, type Insist, type ReadState } from "../answers.ts";
import { isWorkerAlive } from "../directory.ts";
import type { Delivery } from "./pull.ts";
import type { RunningJob } from "./run-job.ts";
import { DUPLICATE_MS, type FleetStreams } from "../streams.ts";
import { failure, isSafe } from "../failure.ts";
import {
  HEAD,
  REASON,
  SIGNATURE,
  type AnswerNotice,
  type JobHead,
  type SealedNotice,
  type StoredState,
} from "../wire.ts";

export interface SettlerOptions {
  /** Of the worker. */
  readonly id: string;
  readonly streams: FleetStreams;
  readonly insist: Insist;
  readonly isCancelled: (key: string) => boolean;
  readonly notify: (engineId: string, notice: SealedNotice) => void;
  /** Receives a line for each call that is given up, and one for many that are refused. */
  readonly warn: (line: string) => void;
}

/** The right of a worker to run a call. */
export interface Claim {
  /** The sequence number of the mark, or 0. */
  readonly expected: number;
  readonly attempt: number;
}

/** What writes the answers of a worker. */
export type Settler = ReturnType<typeof createSettler>;

/** A call that ended its worker this often is not tried again. */
const MAX_ATTEMPTS = 5;
/** After this time another worker gets a call that this one does not take. */
export const PASS_ON_MS = 20;
/** How often a second worker looks whether the one that started an unsafe call is still alive. */
const LOOK_AGAIN_MS = 1000;
const MAX_NOTICE = 262_144;

/** Writes the answers of a worker, and decides which calls it may run. */
export function createSettler(options: SettlerOptions) {
  const { id, streams, insist, isCancelled } = options;
  const answers = openAnswers(streams, insist);
  const bury = createBurial(options);
  const { refuse, ...refusals } = createRefusals(options, bury);
  const { answer, sendStored, settle } = createAnswering(options, answers, bury);
  const goOn = async (job: RunningJob, before: ReadState): Promise<boolean> => {
    const { head, delivery } = job;
    const { state, sequence } = before;
    // What nobody with the key has written stands for a mark: the call may have started.
    if (state === undefined) return isSafe(head) || (await settle(job, interrupted(head), sequence), false);
    if (state.state === "answered") await sendStored(job, before);
    else if (!isSafe(head) && state.worker !== id && (await isWorkerAlive(streams, state.worker)))
      delivery.nak(LOOK_AGAIN_MS);
    else if (!isSafe(head)) await settle(job, interrupted(head), sequence);
    else if (state.attempt >= MAX_ATTEMPTS) await settle(job, crashed(head), sequence);
    else return true;
    return false;
  };
  const mayGoOn = async (job: RunningJob, before: ReadState | undefined): Promise<boolean> => {
    if (before !== undefined) return goOn(job, before);
    if (isFresh(job.head, job.delivery)) return true;
    await refuse(job.delivery, "it was stored long after it was signed", job.head);
    return false;
  };
  return {
    /** Stores the answer, or finds the one that there is already, and sends it. */
    answer,
    /** Answers a call that was cut short, and stores it as a dead letter. */
    interrupt: (job: RunningJob, expected: number) => settle(job, interrupted(job.head), expected),
    /** Returns the claim to a call, or undefined if it must not run here: then it is answered, or given back. */
    async claim(job: RunningJob): Promise<Claim | undefined> {
      const { head, delivery } = job;
      const isFirst = delivery.count === 1 && isFresh(head, delivery) && !isCancelled(head.key);
      if (isFirst && isSafe(head)) return { expected: 0, attempt: 1 };
      const before = isFirst ? undefined : await answers.read(head.key);
      if (!(await mayGoOn(job, before))) return undefined;
      const attempt = attemptAfter(before, delivery);
      const mark: StoredState = { state: "started", worker: id, attempt };
      const expected = await answers.write(head.key, answers.seal(head.key, mark), before?.sequence ?? 0);
      if (expected !== undefined) return { expected, attempt };
      const now = await answers.read(head.key);
      // The mark was stored, but its confirmation was lost.
      if (now?.state?.state === "started" && now.state.worker === id && now.state.attempt === attempt)
        return { expected: now.sequence, attempt };
      delivery.nak(PASS_ON_MS);
      return undefined;
    },
    refuse,
    ...refusals,
  };
}

/** Stores answers and sends them to the engines that wait. */
function createAnswering(
  { streams, warn }: SettlerOptions,
  answers: ReturnType<typeof openAnswers>,
  bury: ReturnType<typeof createBurial>,
) {
  const send = createSend(streams);
  const answer = async (job: RunningJob, state: StoredState, expected: number): Promise<void> => {
    const { key, engine } = job.head;
    const sealed = answers.seal(key, state);
    // The engine has the answer when the servers confirm to both that it is stored.
    send(job.head, sealed, streams.publisher.id);
    const write = async (after: number): Promise<boolean> =>
      (await answers.write(key, sealed, after, engine)) !== undefined;
    if (await write(expected)) return job.delivery.ack();
    const stored = await answers.read(key);
    // The mark is gone with its stream, or was replaced by someone without the key: the call has run all the same.
    if (stored?.state === undefined && (await write(stored?.sequence ?? 0))) job.delivery.ack();
    else await sendStored(job, stored);
  };
  const sendStored = async (job: RunningJob, known?: ReadState): Promise<void> => {
    const stored = known ?? (await answers.read(job.head.key));
    // Another worker has started it again: the queue keeps the call for that one.
    if (stored?.state?.state !== "answered") return;
    job.delivery.ack();
    send(job.head, stored.sealed);
  };
  const settle = async (job: RunningJob, error: Fault, expected: number): Promise<void> => {
    warn(`${job.head.key}: ${error.message}`);
    await bury(job.delivery, job.head.key, error.message);
    await answer(job, { state: "answered", result: failure(job.head, error) }, expected);
  };
  return { answer, sendStored, settle };
}

/** Creates the functions that refuse calls. */
function createRefusals({ warn, notify }: SettlerOptions, bury: ReturnType<typeof createBurial>) {
  const refusals = createTally(warn);
  let unsigned = 0;
  /** Drops a call that no engine with the key has allowed, or not like this. Returns the message. */
  const refuse = async (delivery: Delivery, reason: string, signed?: JobHead): Promise<string> => {
    const message = `the worker refused the call: ${reason}`;
    // Not under the key that it claims: that is for the calls of engines.
    const name = signed?.key ?? String((unsigned += 1) % MAX_UNSIGNED);
    refusals.add(message);
    await bury(delivery, `refused-${name}`, message);
    delivery.ack();
    return message;
  };
  return {
    refuse,
    /** Refuses a call for other streams, and tells its engine, which may wait for it. */
    async refuseOther({ head, delivery }: RunningJob): Promise<void> {
      const message = await refuse(delivery, "it was sent to streams that have been made anew since", head);
      notify(head.engine, { key: head.key, type: "refused", refusal: { message, isForOtherStreams: true } });
    },
    /** Reports the refusals that were only counted so far. */
    close: refusals.close,
  };
}

/** So many dead letters are stored of calls that no engine has signed, by all workers together. */
const MAX_UNSIGNED = 16;

/** Returns the function that sends a sealed answer to its engine: one that is stored, or one that a publisher stores now. */
function createSend({ nc, names }: FleetStreams) {
  return ({ key, engine }: JobHead, answer: string, publisher?: string): void => {
    const notice: AnswerNotice = { key, type: "answered", ...defined({ publisher }) };
    const send = (one: AnswerNotice): void => nc.publish(names.replySubject(engine), JSON.stringify(one));
    if (answer.length < Math.min(MAX_NOTICE, maxPayload(nc))) send({ ...notice, answer });
    // A long one is read from the stream, once the servers have confirmed it.
    else if (publisher === undefined) send(notice);
  };
}

/** Returns the function that stores a dead letter. */
function createBurial({ streams: { names, packages, publisher }, insist }: SettlerOptions) {
  return async ({ data, headers }: Delivery, key: string, reason: string): Promise<void> => {
    const copy = packages.transport.headers();
    for (const name of [HEAD, SIGNATURE]) if (headers?.has(name) === true) copy.set(name, headers.get(name));
    copy.set(REASON, reason);
    await insist(() => publisher.publish(names.deadSubject(key), data, { headers: copy }));
  };
}

/** Returns the number of the next attempt. The first one of a safe call leaves no mark: a further delivery counts as the second. */
function attemptAfter(before: ReadState | undefined, { count }: Delivery): number {
  if (before?.state?.state === "started") return before.state.attempt + 1;
  return Math.min(count, 2);
}

/** Returns true while the server itself drops a second message with this verdict. */
function isFresh({ issuedAt }: JobHead, { storedAt }: Delivery): boolean {
  return Math.abs(storedAt - issuedAt) < DUPLICATE_MS / 2;
}

function interrupted({ tool }: JobHead): Fault {
  return {
    code: "INTERRUPTED",
    message: `the worker that ran "${tool}" ended before its answer; the call may have had effects`,
    hint: "check what it did before you run it again",
    details: { started: true, mayHaveHadEffects: true },
  };
}

function crashed({ tool }: JobHead): Fault {
  return {
    code: "TOOL_CRASHED",
    message: `"${tool}" ended ${MAX_ATTEMPTS} workers before an answer; it is not tried again`,
    hint: "toolwright fleet lists it as a dead letter",
  };
}
