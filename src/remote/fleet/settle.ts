import { randomBytes } from "node:crypto";
import type { Fault, ToolResult } from "../../core/result.ts";
import { maxPayload } from "../../store/nats/nats.ts";
import { defined } from "../../util/json/defined.ts";
import { openAnswers, type Insist, type ReadState } from "./answers.ts";
import { isWorkerAlive } from "./directory.ts";
import type { Delivery } from "./pull.ts";
import type { RunningJob } from "./run-job.ts";
import { DUPLICATE_MS, type FleetStreams } from "./streams.ts";
import { HEAD, REASON, SIGNATURE, type JobHead, type Notice, type StoredState } from "./wire.ts";

export interface SettlerOptions {
  /** Of the worker. */
  readonly id: string;
  readonly streams: FleetStreams;
  readonly insist: Insist;
  readonly isCancelled: (key: string) => boolean;
  readonly notify: (engineId: string, notice: Notice) => void;
  /** Receives one line for each call that is refused or given up. */
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
  const { id, streams, insist, isCancelled, notify } = options;
  const answers = openAnswers(streams, insist);
  const bury = createBurial(options);
  const send = createSend(options);
  const answer = async (job: RunningJob, state: StoredState, expected: number): Promise<void> => {
    const { key, engine } = job.head;
    // The engine has the answer when the servers confirm to both that it is stored.
    send(job.head, state, streams.publisher.id);
    const isWritten = (await answers.write(key, JSON.stringify(state), expected, engine)) !== undefined;
    if (!isWritten) return sendStored(job);
    job.delivery.ack();
  };
  const sendStored = async (job: RunningJob, known?: StoredState): Promise<void> => {
    const stored = known ?? (await answers.read(job.head.key))?.state;
    // Another worker has started it again: the queue keeps the call for that one.
    if (stored?.state !== "answered") return;
    job.delivery.ack();
    send(job.head, stored);
  };
  const settle = async (job: RunningJob, error: Fault, expected: number): Promise<void> => {
    await bury(job.delivery, job.head.key, error.message);
    await answer(job, { state: "answered", result: failure(job.head, error) }, expected);
  };
  const goOn = async (job: RunningJob, { state, sequence }: ReadState): Promise<boolean> => {
    const { head, delivery } = job;
    if (state.state === "answered") await sendStored(job, state);
    else if (!isSafe(head) && state.worker !== id && (await isWorkerAlive(streams, state.worker)))
      delivery.nak(LOOK_AGAIN_MS);
    else if (!isSafe(head)) await settle(job, interrupted(head), sequence);
    else if (state.attempt >= MAX_ATTEMPTS) await settle(job, crashed(head), sequence);
    else return true;
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
      if (before !== undefined && !(await goOn(job, before))) return undefined;
      const attempt = attemptAfter(before, delivery);
      const mark: StoredState = { state: "started", worker: id, attempt };
      const expected = await answers.write(head.key, JSON.stringify(mark), before?.sequence ?? 0);
      if (expected !== undefined) return { expected, attempt };
      const now = await answers.read(head.key);
      // The mark was stored, but its confirmation was lost.
      if (now?.state.state === "started" && now.state.worker === id && now.state.attempt === attempt)
        return { expected: now.sequence, attempt };
      delivery.nak(PASS_ON_MS);
      return undefined;
    },
    /** Drops a call that no engine with the key has allowed. */
    async refuse(delivery: Delivery, reason: string, claimed: JobHead | undefined): Promise<void> {
      const message = `the worker refused the call: ${reason}`;
      // Not under the key that it claims: that is for the calls of engines.
      await bury(delivery, `refused-${randomBytes(8).toString("hex")}`, message);
      delivery.ack();
      if (claimed !== undefined && /^\w+$/.test(claimed.engine))
        notify(claimed.engine, { key: claimed.key, type: "refused", message });
    },
  };
}

/** Returns the function that sends an answer to its engine: one that is stored, or one that a publisher stores now. */
function createSend({ streams, notify }: SettlerOptions) {
  return ({ key, engine }: JobHead, answer: StoredState, publisher?: string): void => {
    const notice = { key, type: "answered", ...defined({ publisher }) } as const;
    const isShort = JSON.stringify(answer).length < Math.min(MAX_NOTICE, maxPayload(streams.nc));
    if (isShort) notify(engine, { ...notice, answer });
    // A long one is read from the stream, once the servers have confirmed it.
    else if (publisher === undefined) notify(engine, notice);
  };
}

/** Returns the function that stores a dead letter. */
function createBurial({ streams: { names, packages, publisher }, insist, warn }: SettlerOptions) {
  return async ({ data, headers }: Delivery, key: string, reason: string): Promise<void> => {
    const copy = packages.transport.headers();
    for (const name of [HEAD, SIGNATURE]) if (headers?.has(name) === true) copy.set(name, headers.get(name));
    copy.set(REASON, reason);
    warn(`${key}: ${reason}`);
    await insist(() => publisher.publish(names.deadSubject(key), data, { headers: copy }));
  };
}

/** Returns the number of the next attempt. The first one of a safe call leaves no mark: a further delivery counts as the second. */
function attemptAfter(before: ReadState | undefined, { count }: Delivery): number {
  if (before?.state.state === "started") return before.state.attempt + 1;
  return Math.min(count, 2);
}

/** Returns true for a call that may run twice. */
export function isSafe({ effects }: Pick<JobHead, "effects">): boolean {
  return effects === "none" || effects === "idempotent";
}

/** Returns true while the server itself drops a second message with this verdict. */
function isFresh({ issuedAt }: JobHead, { storedAt }: Delivery): boolean {
  return Math.abs(storedAt - issuedAt) < DUPLICATE_MS / 2;
}

/** Returns the answer of a call that failed before or without a result of its tool. */
export function failure({ callId, tool }: Pick<JobHead, "callId" | "tool">, error: Fault): ToolResult {
  const content = [{ type: "text", text: `Error: ${error.message}` }] as const;
  const meta = {
    startedAt: Date.now(),
    durationMs: 0,
    place: "fleet",
    attempts: 1,
    source: "fleet",
  } as const;
  return { callId, name: tool, ok: false, content, error, meta };
}

function interrupted({ tool }: JobHead): Fault {
  return {
    code: "INTERRUPTED",
    message: `the worker that ran "${tool}" ended before its answer; the call may have had effects`,
    hint: "check what it did before you run it again",
  };
}

function crashed({ tool }: JobHead): Fault {
  return {
    code: "TOOL_CRASHED",
    message: `"${tool}" ended ${MAX_ATTEMPTS} workers before an answer; it is not tried again`,
    hint: "toolwright fleet lists it as a dead letter",
  };
}
