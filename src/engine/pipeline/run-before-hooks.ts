import type { Hook, HookMoment, HookPoint } from "../../core/hook.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import { toFault } from "../../util/json/fault.ts";
import { RESTART, cancelledError, required, type CallState, type StageOutcome } from "../call/call-state.ts";
import { runInOrder } from "../hooks/hooks.ts";
import type { HookResult, OnStop } from "../types/hooks.ts";

type StopOrRestart = Exclude<StageOutcome, undefined>;

/** Stops hooks that keep rewriting each other's input. */
const MAX_REWRITES = 5;

/** Runs the `before_tool` hooks. */
export function runBeforeHooks(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { hooks } = state.engine;
  const listening = hooks?.at("before_tool");
  if (hooks === undefined || listening === undefined) return undefined;
  // A demand about a replaced input does not hold for the new one.
  state.approvalDemand = undefined;
  return runInOrder<StopOrRestart>(
    listening,
    (hook) => hooks.run(hook, momentOf(state, "before_tool"), stopOnCancel(state)),
    (hook, result) =>
      state.cancelled
        ? toFault(cancelledError(state.engine, state.options.signal))
        : apply(state, hook, result),
  );
}

/** Returns the call as hooks see it: under the tool's own name, with a copy of the input. */
export function momentOf(state: CallState, point: HookPoint): HookMoment {
  const { call, tool, input, facts, risk } = required(state.job, "job");
  const { session, parentId } = state.options;
  const copy = copyJson(input, "INVALID_INPUT");
  return {
    point,
    ...defined({ session }),
    call: { id: call.id, name: tool.name, input: isObject(copy) ? copy : {}, ...defined({ parentId }) },
    risk,
    facts,
  };
}

/** Stops a hook when its call is cancelled, even if the hook itself cancelled it before this was registered. */
export function stopOnCancel(state: CallState): OnStop {
  return (stop) => {
    const cancel = (): void => stop("the call was cancelled");
    if (state.cancelled) cancel();
    return state.onCancel(cancel);
  };
}

function apply(state: CallState, hook: Hook, result: HookResult): StopOrRestart | undefined {
  const { name, onFailure = "refuse" } = hook;
  switch (result.kind) {
    case "refuse":
      return refused(name, `hook "${name}" refused it: ${result.reason}`);
    case "ask":
      state.approvalDemand ??= { hook: name, reason: `hook "${name}" demands approval: ${result.reason}` };
      return undefined;
    case "rewrite":
      return rewrite(state, name, result.input);
    case "failed":
      return onFailure === "pass" ? undefined : failed(name, result.message);
    default:
      return undefined;
  }
}

/** Replaces the input; earlier decisions and approvals no longer hold. */
function rewrite(state: CallState, name: string, input: JsonObject): StopOrRestart | undefined {
  if (isCurrent(state, input)) return undefined;
  state.rewrites += 1;
  if (state.rewrites > MAX_REWRITES) {
    const message = `the hooks do not agree: hook "${name}" rewrote the input after ${MAX_REWRITES} rewrites`;
    return refused(name, message, "make each hook leave an input unchanged that already fits");
  }
  state.replacement = input;
  state.isApproved = false;
  return RESTART;
}

/** Returns whether the input equals the current one, before or after coercion and defaults. */
function isCurrent(state: CallState, input: JsonObject): boolean {
  const hash = hashOf(input);
  const { job, replacement } = state;
  return (
    hash === hashOf(required(job, "job").input) || (replacement !== undefined && hash === hashOf(replacement))
  );
}

function failed(name: string, message: string): Fault {
  const hint = 'fix the hook, or set its onFailure to "pass" to run the call without it';
  return refused(name, `hook "${name}" failed: ${message}`, hint);
}

function refused(name: string, message: string, hint?: string): Fault {
  return { code: "DENIED", message, ...defined({ hint }), details: { rule: `hook.${name}` } };
}
