import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Fault, ToolResult } from "../../core/result.ts";
import { idOfSubject } from "../../core/subject.ts";
import type { CallTrace } from "../../core/store/journal.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { toFault } from "../../util/json/fault.ts";
import { maskValue } from "../../secrets/mask-json.ts";
import type { Masker } from "../../secrets/mask.ts";
import { required, timeoutMsOf, type CallState, type StageOutcome } from "../call/call-state.ts";

/** Stage: records the call in the journal before anything else happens. */
export function receive(state: CallState): StageOutcome {
  const { engine, options } = state;
  if (options.resumed !== undefined) {
    state.journal = options.resumed.entry;
    return undefined;
  }
  if (engine.hasListeners("call.received")) engine.emit(new ReceivedEvent(state));
  try {
    state.journal = open(state);
    return undefined;
  } catch (error) {
    return unrecorded(state, error);
  }
}

/** Returns the fault of a call that does not run because the journal failed. */
function unrecorded(state: CallState, error: unknown): Fault {
  const fault = toFault(error);
  if (fault.code === "CANCELLED") return fault;
  emitFailed(state, fault.message);
  if (fault.code === "UNAVAILABLE") return fault;
  return {
    code: "UNAVAILABLE",
    message: `the call did not run: the journal cannot record it: ${fault.message}`,
    hint: "this is a problem of the program, not of the call",
  };
}

function emitFailed({ engine, origin, call }: CallState, message: string): void {
  engine.emit({ ...origin, type: "journal.failed", callId: call.id, message });
}

/** Masks the input only when a listener reads it, which most do not. */
class ReceivedEvent {
  readonly type = "call.received";
  readonly callId: string;
  readonly name: string;
  readonly at: number;
  readonly session: string | undefined;
  readonly parentId: string | undefined;
  readonly #input: unknown;
  readonly #masker: Masker;

  constructor({ call, options, startedAt, engine }: CallState) {
    this.callId = call.id;
    this.name = call.name;
    this.at = startedAt;
    this.session = options.session;
    this.parentId = options.parentId;
    this.#input = call.input;
    this.#masker = engine.masker;
  }

  get input(): Json {
    return maskValue(this.#input, this.#masker);
  }

  toJSON(): object {
    const { type, at, session, parentId, callId, name, input } = this;
    return { type, at, session, parentId, callId, name, input };
  }
}

/** Stage: records that the tool is about to run; if that fails, it does not run. */
export function recordStart(state: CallState): StageOutcome | Promise<StageOutcome> {
  if (state.journal === undefined) return undefined;
  const { tool } = required(state.entry, "tool");
  try {
    const saved = state.journal.start(tool.effects);
    const started = saved && state.orCancelled(inTime(state, saved, NOT_RUN));
    return started?.then(
      () => undefined,
      (error: unknown) => unrecorded(state, error),
    );
  } catch (error) {
    return unrecorded(state, error);
  }
}

const NOT_RUN = "the call did not run: the journal has not recorded it";
const SLOW = "the disk or the servers of the store are slow: try again, or allow the call more time";

/** Waits for the journal as long as the call itself may take. The journal then continues alone. */
function inTime(state: CallState, saved: Promise<void>, late: string): Promise<void> {
  // At least a second: a short pause of the machine must not refuse a call.
  const ms = Math.max(timeoutMsOf(state), 1000);
  return withTimeout(saved, ms, () => {
    throw new ToolError("UNAVAILABLE", `${late} within ${ms / 1000} s`, { hint: SLOW });
  });
}

/** Emits and records the answer of the call. Never rejects. */
export function recordAnswer(state: CallState, answer: ToolResult): undefined | Promise<void> {
  const { engine, call, entry, options } = state;
  const isMasked = entry?.tool.masks !== false;
  const result = isMasked ? answer : (maskValue(answer, engine.masker) as unknown as ToolResult);
  if (engine.hasListeners("call.answered"))
    engine.emit({
      type: "call.answered",
      at: state.at,
      session: options.session,
      parentId: options.parentId,
      callId: call.id,
      result,
    });
  if (engine.journal === undefined) return undefined;
  // The tool has run: the caller gets its answer even if the answer cannot be recorded.
  const failed = (error: unknown): void => emitFailed(state, toFault(error).message);
  try {
    const saved = (state.journal ?? open(state))?.settle(result, traceOf(state));
    return saved && inTime(state, saved, "the journal has not recorded the answer").then(undefined, failed);
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** Returns why the call ran or not, where and when; undefined if nothing of that is known. */
function traceOf(state: CallState): CallTrace | undefined {
  const { verdict, job, approval, engine, coerced, replacement, stack, stages, executor } = state;
  if (verdict === undefined || job === undefined) return stages && { stages };
  const { kind, reason, rule, hint } = verdict;
  const masked = <T>(value: T): T => maskValue(value, engine.masker) as T;
  const trace: { -readonly [K in keyof CallTrace]: CallTrace[K] } = {
    verdict: hint === undefined ? { kind, reason, rule } : { kind, reason, rule, hint },
    risk: verdict.risk ?? job.risk,
  };
  if (stages !== undefined) trace.stages = stages;
  const ranOn = executor?.ranOn?.(state.context);
  if (ranOn !== undefined) trace.ranOn = ranOn;
  if (job.facts.length > 0) trace.facts = masked(job.facts);
  if (coerced !== undefined || replacement !== undefined) trace.input = masked(job.input);
  if (approval !== undefined) trace.approval = masked(approval);
  if (stack !== undefined) trace.stack = stack;
  return trace;
}

function open({ engine, call, options, startedAt }: CallState): CallState["journal"] {
  if (engine.journal === undefined) return undefined;
  const input = maskValue(call.input, engine.masker);
  const { id: callId, name } = call;
  const { session, usage } = options;
  const subject = idOfSubject(options.subject);
  return engine.journal.receive({ callId, name, input, session, subject, usage, receivedAt: startedAt });
}
