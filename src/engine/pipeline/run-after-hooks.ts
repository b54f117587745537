import type { Hook, HookPoint } from "../../core/hook.ts";
import type { Fault, ToolResult } from "../../core/result.ts";
import { sanitize } from "../../util/text/sanitize.ts";
import { headOf } from "../../util/text/text-ends.ts";
import { failure } from "../answer/answer.ts";
import type { CallState } from "../call/call-state.ts";
import { runInOrder } from "../hooks/hooks.ts";
import type { HookResult } from "../types/hooks.ts";
import { momentOf, stopOnCancel } from "./run-before-hooks.ts";

/** Loaded together with this file, by the first call that has hooks. */
export { runBeforeHooks } from "./run-before-hooks.ts";

/** Runs the `after_tool` or `tool_error` hooks. Never rejects. */
export function runAfterHooks(state: CallState, answer: ToolResult): ToolResult | Promise<ToolResult> {
  const { hooks } = state.engine;
  const point = hooks === undefined ? undefined : pointOf(state, answer);
  const listening = point === undefined ? undefined : hooks?.at(point);
  if (hooks === undefined || point === undefined || listening === undefined) return answer;
  let result = answer;
  const withheld = runInOrder<ToolResult>(
    listening,
    (hook) => {
      if (state.cancelled) return { kind: "failed", message: "the call was cancelled" };
      return hooks.run(hook, { ...momentOf(state, point), result }, stopOnCancel(state));
    },
    (hook, returned) => {
      const fault = faultOf(state, hook, returned);
      if (fault !== undefined) return failure(state, fault);
      if (returned.kind === "note") result = withNote(state, result, hook, returned.text);
      return undefined;
    },
  );
  return withheld instanceof Promise ? withheld.then((other) => other ?? result) : (withheld ?? result);
}

/** Returns undefined for a call that was denied, cancelled or never ran: that is no error of the tool. */
function pointOf({ attempts }: CallState, result: ToolResult): HookPoint | undefined {
  if (result.ok) return "after_tool";
  const { code } = result.error;
  return attempts === 0 || code === "DENIED" || code === "CANCELLED" ? undefined : "tool_error";
}

function faultOf({ call }: CallState, { name, onFailure }: Hook, result: HookResult): Fault | undefined {
  const isFailure = result.kind === "failed" && onFailure === "refuse";
  if (result.kind !== "refuse" && !isFailure) return undefined;
  const reason = result.kind === "refuse" ? result.reason : result.message;
  return {
    code: "DENIED",
    message: `"${call.name}" ran, but hook "${name}" withheld its answer: ${reason}`,
    hint: "its effects stand; do not run it again to see the answer",
    details: { rule: `hook.${name}` },
  };
}

function withNote({ engine }: CallState, result: ToolResult, { name }: Hook, text: string): ToolResult {
  const clean = engine.masker.text(sanitize(text));
  const { over, keep } = engine.cuts.text;
  const message = Buffer.byteLength(clean) > over ? `${headOf(clean, keep)}\n[truncated]` : clean;
  return { ...result, content: [...result.content, { type: "text", text: `[hook ${name}] ${message}` }] };
}
