import type { ToolResult } from "../../core/result.ts";
import type { CallState, StageOutcome } from "../call/call-state.ts";
import type * as CallHooks from "./run-after-hooks.ts";

/** Shared by all engines of the process. */
let loaded: typeof CallHooks | undefined;

async function load(): Promise<typeof CallHooks> {
  return (loaded ??= await import("./run-after-hooks.ts"));
}

/** Stage: runs the `before_tool` hooks, which may deny the call, demand approval or replace the input. */
export function runBeforeHooks(state: CallState): StageOutcome | Promise<StageOutcome> {
  if (state.engine.hooks?.at("before_tool") === undefined) return undefined;
  if (loaded !== undefined) return loaded.runBeforeHooks(state);
  return load().then((hooks) => hooks.runBeforeHooks(state));
}

/** Runs the `after_tool` or `tool_error` hooks, which may add a note to the answer or withhold it. */
export function runAfterHooks(state: CallState, answer: ToolResult): ToolResult | Promise<ToolResult> {
  const { hooks } = state.engine;
  if (hooks?.at("after_tool") === undefined && hooks?.at("tool_error") === undefined) return answer;
  if (loaded !== undefined) return loaded.runAfterHooks(state, answer);
  return load().then((own) => own.runAfterHooks(state, answer));
}
