import type { Hook, HookPoint } from "../../core/hook.ts";
import type { Fault, ToolResult } from "../../core/result.ts";
import { headOf } from "../../util/text/text-ends.ts";
import { failure } from "../answer/answer.ts";
import type { HookAnswer } from "../hooks/ask-hook.ts";
import { momentOf, stopOnCancel } from "./consult-hooks.ts";
import { askInTurn } from "../hooks/hooks.ts";
import type { Passage } from "../state/passage.ts";
import { sanitize } from "../../util/text/sanitize.ts";

/** Asks the hooks that come after a call: they may add a note to its answer, or withhold it. Never rejects. */
export function hearHooks(passage: Passage, answer: ToolResult): ToolResult | Promise<ToolResult> {
  const { hooks } = passage.line;
  const point = hooks === undefined ? undefined : pointOf(passage, answer);
  const asked = point === undefined ? undefined : hooks?.at(point);
  if (hooks === undefined || point === undefined || asked === undefined) return answer;
  let result = answer;
  const withheld = askInTurn<ToolResult>(
    asked,
    (hook) => {
      if (passage.cancelled) return { kind: "failed", message: "the call was cancelled" };
      return hooks.ask(hook, { ...momentOf(passage, point), result }, stopOnCancel(passage));
    },
    (hook, said) => {
      const fault = faultOf(passage, hook, said);
      if (fault !== undefined) return failure(passage, fault);
      if (said.kind === "note") result = withNote(passage, result, hook, said.text);
      return undefined;
    },
  );
  return withheld instanceof Promise ? withheld.then((other) => other ?? result) : (withheld ?? result);
}

/** A tool that ran and failed is an error of the tool; a call that was denied, cancelled or never ran is not. */
function pointOf({ attempts }: Passage, result: ToolResult): HookPoint | undefined {
  if (result.ok) return "after_tool";
  const { code } = result.error;
  return attempts === 0 || code === "DENIED" || code === "CANCELLED" ? undefined : "tool_error";
}

function faultOf({ call }: Passage, { name, onFailure }: Hook, said: HookAnswer): Fault | undefined {
  const isFailure = said.kind === "failed" && onFailure === "refuse";
  if (said.kind !== "refuse" && !isFailure) return undefined;
  const reason = said.kind === "refuse" ? said.reason : said.message;
  return {
    code: "DENIED",
    message: `"${call.name}" ran, but hook "${name}" withholds its answer: ${reason}`,
    hint: "what it did is done; do not run it again to see the answer",
    details: { rule: `hook.${name}` },
  };
}

function withNote({ line }: Passage, result: ToolResult, { name }: Hook, text: string): ToolResult {
  const clean = line.masker.text(sanitize(text));
  const { over, keep } = line.cuts.text;
  const shown = Buffer.byteLength(clean) > over ? `${headOf(clean, keep)}\n[truncated]` : clean;
  return { ...result, content: [...result.content, { type: "text", text: `[hook ${name}] ${shown}` }] };
}
