import { ToolError } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import type { Fault } from "../../core/result.ts";
import type { Limits } from "../../core/spec.ts";
import type { Attributes } from "../../core/tool.ts";
import { isAsyncIterable, isThenable } from "../../util/async/thenable.ts";
import { defined } from "../../util/json/defined.ts";
import { givenUp, toFault } from "../../util/json/fault.ts";
import type { Masker } from "../../secrets/mask.ts";
import {
  cancelledError,
  required,
  timeoutMsOf,
  type CallState,
  type StageOutcome,
} from "../call/call-state.ts";

/** Stage: runs the tool. The deadline answers the caller even if the tool ignores cancellation. */
export function execute(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { context } = state;
  const job = required(state.job, "job");
  state.attempts += 1;
  context.attempt = state.attempts;
  state.thrown = undefined;
  if (state.attempts > 1) context.renew();
  if (state.engine.hasListeners("call.started")) emitStart(state);
  state.limits = limitsOf(job);
  // The caller's own limit is for the whole call.
  context.limitTo(timeoutMsOf(state), state.options.timeoutMs ?? Number.POSITIVE_INFINITY);
  let output: unknown;
  try {
    output = required(state.executor, "executor").execute(job, context);
  } catch (error) {
    // Handled like a rejection, with the progress emitted before.
    state.thrown = error;
    return cutShort(state, toFault(error));
  }
  if (output instanceof Promise) return underDeadline(state, output);
  if (isAsyncIterable(output)) return underDeadline(state, collectAll(output, context));
  if (isThenable(output)) return underDeadline(state, Promise.resolve(output));
  state.output = output;
  context.finish();
  return undefined;
}

/** Loaded by the first tool that streams. */
async function collectAll(items: AsyncIterable<unknown>, context: CallState["context"]): Promise<unknown> {
  const { collect } = await import("../answer/collect.ts");
  return collect(items, context);
}

function limitsOf({ tool, input }: Job): Limits | undefined {
  return tool.limitsOf === undefined ? tool.limits : { ...tool.limits, ...tool.limitsOf(input) };
}

function idleMsOf({ engine, options, limits }: CallState): number | undefined {
  return options.idleTimeoutMs ?? limits?.idleTimeoutMs ?? engine.idleTimeoutMs;
}

/** Waits for the tool until its deadline, its idle deadline or cancellation, whichever comes first. */
function underDeadline(state: CallState, running: Promise<unknown>): Promise<StageOutcome> {
  return new Promise((resolve) => {
    let phase: "running" | "ending" | "answered" = "running";
    let grace: NodeJS.Timeout | undefined;
    const settle = (outcome: StageOutcome): void => {
      phase = "answered";
      clearTimeout(grace);
      state.context.watch?.stop();
      stopListening();
      resolve(outcome);
    };
    const end = (reason: ToolError): void => {
      if (phase !== "running") return;
      phase = "ending";
      state.context.abort(reason);
      // A tool that ends at once may still report how far it got; one that ignores the signal is not waited for.
      const giveUp = (): void => {
        if (phase !== "ending") return;
        settle(cutShort(state, givenUp(toFault(reason), required(state.job, "job").tool.effects)));
      };
      // Timers that fall due in one turn of the event loop run before what waits for its end, such as a streaming tool.
      grace = setTimeout(() => setImmediate(giveUp), state.limits?.graceMs ?? 0);
    };
    const stopListening = state.onCancel(() => end(cancelledError(state.engine, state.options.signal)));
    state.context.watch = state.engine.deadlines.watch({
      endsAt: state.context.deadlineAt,
      idleMs: idleMsOf(state),
      onEnd: (kind) => end(timeoutError(state, kind)),
    });
    running.then(
      (value) => {
        if (phase === "answered") return emitLate(state);
        if (phase === "ending") return settle(cutShort(state, endFault(state)));
        state.output = value;
        state.context.finish();
        return settle(undefined);
      },
      (error: unknown) => {
        if (phase === "answered") return emitLate(state);
        if (phase === "ending") return settle(cutShort(state, endFault(state, error)));
        state.thrown = error;
        return settle(cutShort(state, toFault(error)));
      },
    );
    if (state.cancelled) end(cancelledError(state.engine, state.options.signal));
  });
}

/** Returns the reason why the call was ended, with the hint and details that the tool still reported. */
function endFault({ context }: CallState, error?: unknown): Fault {
  const reason = toFault(context.signal.reason);
  if (!(error instanceof ToolError)) return reason;
  const { hint, details } = toFault(error);
  return { ...reason, ...defined({ hint, details }) };
}

/** Adds the emitted progress, unless the tool itself reported its output. */
function cutShort({ context }: CallState, fault: Fault): Fault {
  const emitted = context.finish();
  if (emitted === "" || fault.details?.["stdout"] !== undefined) return fault;
  return { ...fault, details: { ...fault.details, emitted } };
}

function timeoutError(state: CallState, kind: "deadline" | "idle"): ToolError {
  const ms = kind === "deadline" ? timeoutMsOf(state) : (idleMsOf(state) ?? 0);
  const how = `${kind === "deadline" ? " after" : ": no output for"} ${Number((ms / 1000).toFixed(3))} s`;
  return new ToolError("TOOL_TIMEOUT", `"${state.call.name}" timed out${how}`);
}

function emitStart(state: CallState): void {
  const { engine, call, attempts, options } = state;
  const attributes = attributesOf(state);
  const event = {
    type: "call.started",
    at: state.at,
    session: options.session,
    parentId: options.parentId,
    callId: call.id,
    name: call.name,
    attempt: attempts,
  } as const;
  engine.emit(attributes === undefined ? event : { ...event, attributes });
}

/** Returns undefined if the tool fails to compute them: they are for listeners only. */
function attributesOf({ job, engine }: CallState): Attributes | undefined {
  try {
    const attributes = job?.tool.attributes?.(job.input);
    return attributes === undefined ? undefined : capped(attributes, engine.masker);
  } catch {
    return undefined;
  }
}

const MAX_ATTRIBUTE_CHARACTERS = 256;

function capped(attributes: Attributes, masker: Masker): Attributes {
  const entries = Object.entries(attributes).map(([name, value]) => {
    return [name, typeof value === "string" ? masker.text(value).slice(0, MAX_ATTRIBUTE_CHARACTERS) : value];
  });
  return Object.fromEntries(entries) as Attributes;
}

function emitLate({ engine, call, origin }: CallState): void {
  engine.emit({ ...origin, type: "call.returned_late", callId: call.id, name: call.name });
}
