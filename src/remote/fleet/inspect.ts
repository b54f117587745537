import type { MsgRequest, StoredMsg } from "@nats-io/jetstream";
import { ToolError, type ErrorCode } from "../../core/errors.ts";
import type { Progress } from "../../core/context.ts";
import type { ToolResult } from "../../core/result.ts";
import { persist } from "../../store/nats/nats.ts";
import { ask } from "./send-job.ts";
import { LANES } from "../../core/fleet-names.ts";
import type { OpenFleet } from "./open-fleet.ts";
import { isSafe } from "./failure.ts";
import { callObject, HEAD, isAllowedInput, parseHead, REASON, SIGNATURE } from "./wire.ts";

/** The calls of one lane of a pool. */
export interface QueueState {
  readonly pool: string;
  readonly lane: string;
  readonly waiting: number;
  /** Delivered to a worker, without an answer yet. */
  readonly running: number;
  readonly redelivered: number;
}

/** A call that no worker could finish, or that workers refused. */
export interface DeadLetter {
  readonly key: string;
  readonly tool: string | undefined;
  /** The call and its session, as its message says. */
  readonly callId: string | undefined;
  readonly session: string | undefined;
  /** The call may have had effects, and a retry may have them again. */
  readonly mayHaveRun: boolean;
  /** The input as it was sent: JSON text with its secrets. Undefined for a long one, which is stored elsewhere. */
  readonly input: string | undefined;
  readonly reason: string;
  readonly at: string;
}

/** Throws `UNAVAILABLE` if the servers do not answer. */
export async function listQueues({ names, manager }: OpenFleet): Promise<readonly QueueState[]> {
  const queues = await persist(async () => {
    const states: QueueState[] = [];
    for await (const info of manager.consumers.list(names.calls)) {
      const at = info.name.lastIndexOf("-");
      const [pool, lane] = [info.name.slice(0, at), info.name.slice(at + 1)];
      if (!(LANES as readonly string[]).includes(lane)) continue;
      const { num_pending: waiting, num_ack_pending: running, num_redelivered: redelivered } = info;
      states.push({ pool, lane, waiting, running, redelivered });
    }
    return states;
  });
  return queues.toSorted((one, other) => one.pool.localeCompare(other.pool));
}

/** Returns the newest dead letters, newest first. */
export async function listDeadLetters(fleet: OpenFleet, limit: number): Promise<readonly DeadLetter[]> {
  const { names, manager } = fleet;
  const { state } = await persist(() => manager.streams.info(names.dead));
  const letters: DeadLetter[] = [];
  for (let seq = state.last_seq; seq >= Math.max(1, state.first_seq) && letters.length < limit; seq -= 1) {
    const stored = await readDead(fleet, { seq });
    if (stored === null) continue;
    const { tool, id, session, effects, isStored } = parseHead(stored.header.get(HEAD)) ?? {};
    letters.push({
      key: stored.subject.slice(names.deadSubject("").length),
      tool: textOr(tool),
      callId: textOr(id),
      session: textOr(session),
      mayHaveRun: effects === undefined || !isSafe({ effects }),
      input: isStored === true ? undefined : Buffer.from(stored.data).toString("utf8"),
      reason: stored.header.get(REASON),
      at: stored.time.toISOString(),
    });
  }
  return letters;
}

/** Returns undefined for anything but a text: everyone who can publish can write a letter. */
function textOr(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns null if there is no such letter. */
function readDead({ names, manager }: OpenFleet, query: MsgRequest): Promise<StoredMsg | null> {
  return persist(() => manager.streams.getMessage(names.dead, query));
}

const DRAIN_MS = 5000;

/** Lets a worker finish its calls and end. Throws if there is no such worker. */
export async function drainWorker({ nc, names, directory, seals }: OpenFleet, id: string): Promise<void> {
  if (!directory.isAlive(id))
    throw new ToolError("INVALID_INPUT", `there is no worker ${JSON.stringify(id)}`, {
      hint: "toolwright fleet lists them",
    });
  await nc.request(names.controlSubject(id), seals.seal("drain", id, "drain"), { timeout: DRAIN_MS });
}

/** Removes a dead letter without running its call. Returns false if there is no such letter. */
export async function removeDeadLetter(fleet: OpenFleet, key: string): Promise<boolean> {
  const { names, manager } = fleet;
  const filter = names.deadSubject(key);
  const stored = await readDead(fleet, { last_by_subj: filter });
  // Not a later letter: a retry that was given up may put one there.
  if (stored !== null) await manager.streams.purge(names.dead, { filter, seq: stored.seq + 1 });
  return stored !== null;
}

/** Returns true if a letter has this key. */
export async function hasDeadLetter(fleet: OpenFleet, key: string): Promise<boolean> {
  return (await readDead(fleet, { last_by_subj: fleet.names.deadSubject(key) })) !== null;
}

export interface RetryOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** The answer may be that of an earlier retry which was given up, by a process that could not put the letter back. */
const UNFINISHED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["CANCELLED", "TOOL_TIMEOUT"]);

/**
 * Runs a dead letter again as a new call, and removes it when it has an answer, unless the call was cancelled or timed out. Two retries at
 * once are one call. Throws if it was never allowed, or no worker can run it.
 */
export async function retryDeadLetter(
  fleet: OpenFleet,
  key: string,
  { timeoutMs, signal, onProgress }: RetryOptions,
): Promise<ToolResult> {
  const { names, manager, payloads, publisher, seals } = fleet;
  const subject = names.deadSubject(key);
  const stored = await readDead(fleet, { last_by_subj: subject });
  if (stored === null)
    throw new ToolError("INVALID_INPUT", `there is no dead letter ${key}`, {
      hint: "toolwright fleet dead lists them",
    });
  const text = stored.header.get(HEAD);
  const head = parseHead(text);
  const refused = `${key} cannot be retried: no engine with this key has allowed it`;
  const isSigned = seals.hasKey && seals.verify("call", text, stored.header.get(SIGNATURE));
  if (head === undefined || !isSigned || head.namespace !== names.namespace)
    throw new ToolError("DENIED", refused);
  const { hash: _hash, issuedAt: _issuedAt, isStored, ...rest } = head;
  const input = isStored === true ? await payloads.getBlob(callObject(head.key)) : stored.data;
  if (input === null) throw new ToolError("UNAVAILABLE", `the input of ${key} is no longer stored`);
  // Every user who can publish can store another input beside a verdict that was captured.
  if (!isAllowedInput(head, input)) throw new ToolError("DENIED", refused);
  fleet.choosePool(`${head.tool}@${head.version}`, head);
  const now = Date.now();
  const again = {
    ...rest,
    key: `${head.key}-${stored.seq}`,
    engine: fleet.engineId,
    streams: fleet.identity.known(),
    expiresAt: now + timeoutMs,
  };
  const late = new AbortController();
  const tooLate = new ToolError("TOOL_TIMEOUT", `"${head.tool}" timed out after ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => late.abort(tooLate), timeoutMs);
  const ended = AbortSignal.any([signal, late.signal]);
  let isAnswered = false;
  try {
    const { result } = await ask(fleet, { head: again, input }, { signal: ended, emit: onProgress });
    isAnswered = result.ok || (!ended.aborted && !UNFINISHED.has(result.error.code));
    // Not a later letter: another retry that was given up has put it back.
    if (isAnswered) await manager.streams.purge(names.dead, { filter: subject, seq: stored.seq + 1 });
    return result;
  } finally {
    clearTimeout(timer);
    // One that was given up may be retried once more, under another number.
    if (!isAnswered)
      await publisher.publish(subject, stored.data, { headers: stored.header }).catch(() => undefined);
  }
}
