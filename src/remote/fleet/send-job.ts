import { setTimeout as sleep } from "node:timers/promises";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fault } from "../../core/result.ts";
import { maxPayload, persist } from "../../store/nats/nats.ts";
import { givenUp, toFault } from "../../util/json/fault.ts";
import { untilAnswered } from "../remote-call.ts";
import type { OpenFleet } from "./open-fleet.ts";
import { StreamRefusal, type Stored } from "./publisher.ts";
import { isQueued } from "./waiting.ts";
import { failure, isSafe } from "./failure.ts";
import {
  callObject,
  HEAD,
  hashOfInput,
  MESSAGE_ID,
  SIGNATURE,
  type JobHead,
  type Refusal,
  type StoredAnswer,
  type StoredState,
} from "./wire.ts";

/** The server refuses more calls for a lane than its queue may hold. */
const QUEUE_FULL = 10_077;
const RETRY_MS = 50;
const SETTLE_MS = 200;

/** A job that is not sent yet. */
export type Draft = Omit<JobHead, "hash" | "isStored" | "issuedAt">;

export interface Asked {
  readonly head: Draft;
  readonly input: Uint8Array;
}

/** Sends the job and waits for its one answer. An abort cancels the job, whose answer is still awaited for a few seconds. */
export async function ask(
  fleet: OpenFleet,
  asked: Asked,
  { signal, emit }: Pick<ToolContext, "signal" | "emit">,
): Promise<StoredAnswer> {
  signal.throwIfAborted();
  const { waiting } = fleet;
  const { key } = asked.head;
  const { promise, resolve, reject } = Promise.withResolvers<StoredAnswer>();
  let sequence: number | undefined;
  const send = async (): Promise<void> => {
    const { seq, duplicate } = await publish(fleet, asked, signal);
    sequence = seq;
    if (duplicate === true) waiting.look(key);
  };
  const cancel = (): ToolError => {
    const { reason } = signal;
    // The fault may become the answer: an AbortError would look like a failure of the tool.
    const error = reason instanceof ToolError ? reason : new ToolError("CANCELLED", "the call was cancelled");
    const fault = toFault(error);
    void withdraw(fleet, asked.head, fault, () => sequence).then(() => waiting.look(key));
    // Without an answer, a worker may still run it.
    return new ToolError(fault.code, fault.message, givenUp(fault, asked.head.effects));
  };
  const stop = waiting.add(key, {
    sequence: () => sequence,
    onProgress: emit,
    onAnswer: resolve,
    onRefused: (refusal) => void refusalOf(fleet, asked.head, refusal).then(reject),
    // If it cannot be sent now, the next look finds that it is still lost.
    onLost: () => void send().catch(() => undefined),
  });
  send().catch(reject);
  return untilAnswered(promise, signal, cancel).finally(stop);
}

/** Returns the error of a call that a worker refused. Calls that are sent from now on are for the streams that there are. */
async function refusalOf(
  { identity }: OpenFleet,
  head: Draft,
  { message, isForOtherStreams }: Refusal,
): Promise<ToolError> {
  if (isForOtherStreams !== true)
    return new ToolError("DENIED", message, { hint: "the clocks of engines and workers must be the same" });
  await identity.confirm();
  // A safe call is tried again, as another one. Of any other nothing says whether it ran before.
  return isSafe(head)
    ? new ToolError("UNAVAILABLE", message)
    : new ToolError("INTERRUPTED", `${message}; the call may have had effects`, {
        hint: "check what it did before you run it again",
        details: { mayHaveHadEffects: true },
      });
}

/** Publishes the job; goes on while no server answers or the queue is full. Returns the confirmation. */
async function publish(fleet: OpenFleet, { head, input }: Asked, signal: AbortSignal): Promise<Stored> {
  const { nc, publisher, names, packages, payloads, seals } = fleet;
  const isStored = input.length > maxPayload(nc);
  if (isStored) await persist(() => payloads.putBlob({ name: callObject(head.key) }, input));
  const hash = hashOfInput(input);
  const headers = packages.transport.headers();
  headers.set(MESSAGE_ID, head.key);
  const body = isStored ? new Uint8Array() : input;
  const subject = names.callSubject(head.pool, head.lane);
  for (;;) {
    signal.throwIfAborted();
    const full: JobHead = { ...head, hash, issuedAt: Date.now(), ...(isStored && { isStored }) };
    const text = JSON.stringify(full);
    headers.set(HEAD, text);
    headers.set(SIGNATURE, seals.sign("call", text));
    try {
      return await publisher.publish(subject, body, { headers });
    } catch (error) {
      const isFull = error instanceof StreamRefusal && error.code === QUEUE_FULL;
      if (nc.isClosed() || Date.now() + 2 * RETRY_MS > head.expiresAt) throw unsent(head, isFull, error);
      await sleep(RETRY_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }
}

function unsent({ tool, pool, lane }: Draft, isFull: boolean, cause: unknown): ToolError {
  const why = isFull ? `the queue ${pool}.${lane} is full` : "no server stored the call";
  const message = `"${tool}" could not be sent to the fleet before its deadline: ${why}`;
  return new ToolError("UNAVAILABLE", message, {
    cause,
    hint: "toolwright fleet shows the queues; more workers, or fewer calls at a time, make room",
  });
}

/** Ends a job: a worker that runs it cancels it, and no worker starts it any more. Never rejects. */
async function withdraw(
  fleet: OpenFleet,
  head: Draft,
  error: Fault,
  sequenceOf: () => number | undefined,
): Promise<void> {
  const { nc, names, manager, answers, seals } = fleet;
  nc.publish(names.cancelSubject, seals.seal("cancel", "", head.key));
  // A worker that runs it without a mark answers by itself, with the output so far.
  if (isSafe(head)) await sleep(SETTLE_MS);
  // A worker may run a safe call although nothing says so.
  const fault = isSafe(head) ? givenUp(error, head.effects) : error;
  const state: StoredState = { state: "answered", result: failure(head, fault) };
  try {
    const isWritten = (await answers.write(head.key, answers.seal(head.key, state), 0)) !== undefined;
    const sequence = sequenceOf();
    // If no worker has it, it would take a place in the queue until one finds that it is over.
    if (isWritten && sequence !== undefined && (await isQueued(fleet, head.key, sequence)))
      await manager.streams.deleteMessage(names.calls, sequence, false);
  } catch {
    // No server answers, or a worker was first.
  }
}
