import type { PendingCall } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Failure, Fault, ToolResult } from "../../core/result.ts";
import { toFault } from "../../util/json/fault.ts";
import { failure, lastResort, success } from "../answer/answer.ts";
import { format } from "../answer/format.ts";
import {
  CallState,
  RESTART,
  cancelledError,
  required,
  type Stage,
  type StageOutcome,
} from "../call/call-state.ts";
import { wellFormed } from "../call/well-formed.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { CallOptions } from "../types/options.ts";
import { checkInput } from "./check-input.ts";
import { checkOptions } from "./check-options.ts";
import { examine } from "./examine.ts";
import { execute } from "./execute.ts";
import { inject } from "./inject.ts";
import { isApprovedWithCaller } from "./inner-calls.ts";
import { judge } from "./judge.ts";
import { lookUp } from "./look-up.ts";
import { claimChanges, notifyChanges, releaseChanges } from "./notify-changes.ts";
import { noteUntrusted } from "./note-untrusted.ts";
import { readCommands } from "./read-commands.ts";
import { receive, recordAnswer, recordStart } from "./record.ts";
import { retryDelayMs, waitForRetry } from "./retry.ts";
import { route } from "./route.ts";
import type * as Hooks from "./run-after-hooks.ts";
import { startSession } from "./start-session.ts";
import { takeSlot } from "./take-slot.ts";

const READING: readonly Stage[] = [checkOptions, lookUp, checkInput, inject, examine, readCommands];
const EXECUTION: readonly Stage[] = [execute, format];

/** The stages that find out what a call would do, without running the tool or a hook. */
const EXAMINATION: readonly Stage[] = [...READING, judge];

/** The pipeline. Every call passes every stage, until one stops it with a fault. */
const PIPELINE: readonly Stage[] = [
  receive,
  startSession,
  ...READING,
  runBeforeHooks,
  judge,
  approve,
  route,
  takeSlot,
  claimChanges,
  noteUntrusted,
  recordStart,
  ...EXECUTION,
];

/** Stage: if policy says ask, an earlier grant or the approver decides, which the first question loads. Without an approver the call is denied. */
function approve(state: CallState): StageOutcome | Promise<StageOutcome> {
  const verdict = required(state.verdict, "verdict");
  const { resumed, approvedBy } = state.options;
  if (resumed !== undefined && !state.isApproved)
    return import("./ask.ts").then(({ applyDecision }) => applyDecision(state, verdict, resumed));
  // An input that an approver wrote may need the approval of others.
  const isByApprover = state.isApproved && approvedBy === undefined;
  const isApproved = state.isApproved && !(isByApprover && verdict.approvers !== undefined);
  if (verdict.kind === "allow" || isApproved || isApprovedWithCaller(state, verdict)) return undefined;
  return import("./ask.ts").then(({ ask }) => ask(state, verdict));
}

/** Loaded by the first call that has hooks, and shared by all engines of the process. */
let loadedHooks: typeof Hooks | undefined;

async function loadHooks(): Promise<typeof Hooks> {
  return (loadedHooks ??= await import("./run-after-hooks.ts"));
}

/** Stage: runs the `before_tool` hooks, which may deny the call, demand approval or replace the input. */
function runBeforeHooks(state: CallState): StageOutcome | Promise<StageOutcome> {
  if (state.engine.hooks?.at("before_tool") === undefined) return undefined;
  if (loadedHooks !== undefined) return loadedHooks.runBeforeHooks(state);
  return loadHooks().then((hooks) => hooks.runBeforeHooks(state));
}

/** Runs the `after_tool` or `tool_error` hooks, which may add a note to the answer or withhold it. */
function runAfterHooks(state: CallState, answer: ToolResult): ToolResult | Promise<ToolResult> {
  const { hooks } = state.engine;
  if (hooks?.at("after_tool") === undefined && hooks?.at("tool_error") === undefined) return answer;
  if (loadedHooks !== undefined) return loadedHooks.runAfterHooks(state, answer);
  return loadHooks().then((own) => own.runAfterHooks(state, answer));
}

/** Runs one call through the pipeline and returns its one answer, or suspends it. Never rejects. Leaves the slot at the end. */
export function run(
  engine: EngineParts,
  call: ToolCall,
  options: CallOptions,
  slot = options.slot,
): Promise<ToolResult | PendingCall> {
  engine.inFlight.enter();
  let state: CallState | undefined;
  try {
    state = new CallState(engine, wellFormed(call), options);
    state.slot = slot;
    state.session?.enter();
    const outcome = runStages(state, PIPELINE);
    if (outcome instanceof Promise) return concludeAfter(state, outcome);
    return Promise.resolve(conclude(state, outcome));
  } catch (error) {
    // What a stage throws becomes a fault; this is for what throws while the answer is made.
    leave(engine, slot, state?.session);
    return Promise.resolve(lastResort(call, error));
  }
}

/** One reaction to the outcome, and no async function: an answer that nothing delays costs no further promise. */
function concludeAfter(
  state: CallState,
  outcome: Promise<Fault | undefined>,
): Promise<ToolResult | PendingCall> {
  const giveUp = (error: unknown): Failure => {
    leave(state.engine, state.slot, state.session);
    return lastResort(state.call, error);
  };
  return outcome.then((fault) => {
    try {
      return conclude(state, fault);
    } catch (error) {
      return giveUp(error);
    }
  }, giveUp);
}

/** Returns the answer for an outcome, after retries, and leaves the slot. If it throws, the slot is not left. */
function conclude(
  state: CallState,
  fault: Fault | undefined,
): ToolResult | PendingCall | Promise<ToolResult | PendingCall> {
  const { engine, call, slot, session } = state;
  // A call that was stopped before its execution is not retried.
  const isRetried = fault !== undefined && state.attempts > 0 && retryDelayMs(state, fault) !== undefined;
  const answer = isRetried ? retryAndFinish(state, fault) : finish(state, fault);
  if (answer instanceof Promise) {
    const leaveWith = <R>(result: R): R => {
      leave(engine, slot, session);
      return result;
    };
    return answer.then(leaveWith, (error: unknown) => leaveWith(lastResort(call, error)));
  }
  leave(engine, slot, session);
  return answer;
}

function leave(engine: EngineParts, slot: CallState["slot"], session: CallState["session"]): void {
  slot?.leave();
  session?.leave();
  engine.inFlight.leave();
}

/** Runs a call up to the verdict of policy. Executes, records and emits nothing. */
export async function preview(engine: EngineParts, call: ToolCall, options: CallOptions): Promise<Preview> {
  const silent: EngineParts = { ...engine, hasListeners: () => false, emit: () => undefined };
  const state = new CallState(silent, wellFormed(call), options);
  await state.session?.untrusted.load();
  const fault = await runStages(state, EXAMINATION);
  return { state, fault };
}

export interface Preview {
  readonly state: CallState;
  readonly fault: Fault | undefined;
}

/**
 * Runs stages until one stops the call. An exception becomes a fault.
 * Not an async function: a call that waits for nothing is answered without a turn of the event loop.
 */
function runStages(
  state: CallState,
  stages: readonly Stage[],
  from = 0,
): Fault | undefined | Promise<Fault | undefined> {
  try {
    for (let at = from; at < stages.length; at += 1) {
      // A call that is cancelled before it begins is received, and answered.
      if (state.cancelled && stages[at] !== receive)
        return toFault(cancelledError(state.engine, state.options.signal));
      const outcome = stages[at]?.(state);
      if (outcome === undefined) continue;
      if (outcome instanceof Promise) return runStagesAfter(outcome, state, stages, at + 1);
      return outcome === RESTART ? runStages(state, stages, stages.indexOf(checkInput)) : outcome;
    }
    return undefined;
  } catch (error) {
    return toFault(error);
  }
}

/** A function of its own: with a closure in the loop above, every stage would allocate what it captures. */
function runStagesAfter(
  outcome: Promise<StageOutcome>,
  state: CallState,
  stages: readonly Stage[],
  next: number,
): Promise<Fault | undefined> {
  const from = Date.now();
  return outcome.then((later) => {
    noteTime(state, stages[next - 1], from);
    if (later === RESTART) return runStages(state, stages, stages.indexOf(checkInput));
    return later ?? runStages(state, stages, next);
  }, toFault);
}

/** Records how long the call waited for a stage. The names are for people: they are those of the table in docs/architecture.md. */
function noteTime(state: CallState, stage: Stage | undefined, began: number): void {
  state.at = Date.now();
  if (state.at <= began || stage === undefined) return;
  const [from, to] = [began - state.startedAt, state.at - state.startedAt];
  (state.stages ??= []).push({ stage: NAMES.get(stage) ?? "other", from, to });
}

const NAMES: ReadonlyMap<Stage, string> = new Map<Stage, string>([
  [startSession, "start session"],
  [lookUp, "look up"],
  [checkInput, "check input"],
  [inject, "inject"],
  [examine, "examine"],
  [readCommands, "read commands"],
  [runBeforeHooks, "before hooks"],
  [judge, "judge"],
  [approve, "approve"],
  [takeSlot, "take slot"],
  [claimChanges, "claim changes"],
  [noteUntrusted, "claim changes"],
  [recordStart, "record start"],
  [execute, "execute"],
  [format, "format"],
]);

/** Retries a failed execution where that is safe and may help. */
async function retryAndFinish(state: CallState, first: Fault): Promise<ToolResult | PendingCall> {
  let fault: Fault | undefined = first;
  while (fault !== undefined && state.attempts > 0) {
    const delayMs = retryDelayMs(state, fault);
    if (delayMs === undefined) break;
    await waitForRetry(state, fault, delayMs);
    state.at = Date.now();
    fault = await runStages(state, EXECUTION);
  }
  return finish(state, fault);
}

function finish(state: CallState, fault: Fault | undefined): ToolResult | PendingCall | Promise<ToolResult> {
  if (state.pending !== undefined) return state.pending;
  if (fault === undefined) notifyChanges(state);
  releaseChanges(state);
  state.context.limitSlot?.leave();
  const result = runAfterHooks(state, fault === undefined ? success(state) : failure(state, fault));
  if (!(result instanceof Promise)) {
    state.at = Math.round(state.startedAt + result.meta.durationMs);
    return record(state, result);
  }
  return result.then((last) => {
    state.at = Date.now();
    return record(state, last);
  });
}

function record(state: CallState, result: ToolResult): ToolResult | Promise<ToolResult> {
  const recorded = recordAnswer(state, result);
  return recorded === undefined ? result : recorded.then(() => result);
}
