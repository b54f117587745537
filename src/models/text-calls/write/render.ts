import type { ToolResult } from "../../../core/result.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import { dialectOf, type DialectName } from "../dialects/dialects.ts";
import { fillCalls, fillResult, harmlessJson, type WrittenCall } from "./fill-form.ts";
import { contentText } from "../../../util/text/content-text.ts";

/** Writes calls as a model with this dialect does. They read back unchanged, unless a text contains the dialect's own closing marker. */
export function renderCalls(dialect: DialectName, calls: readonly WrittenCall[]): string {
  return calls.length === 0 ? "" : fillCalls(dialectOf(dialect).call, calls);
}

/** Writes one call, as `renderCalls` does. */
export function renderCall(dialect: DialectName, call: WrittenCall): string {
  return renderCalls(dialect, [call]);
}

const EXAMPLES: readonly WrittenCall[] = [
  { name: "first_tool", input: { text_parameter: "value", number_parameter: 2 } },
  { name: "second_tool", input: { text_parameter: "other value" } },
];

/** Writes the part of a system prompt that lists the tools and says how to call them; "" without tools. */
export function renderPrompt(
  dialect: DialectName,
  tools: readonly Pick<ToolSpec, "name" | "description" | "input">[],
): string {
  if (tools.length === 0) return "";
  const listed = tools.map(({ name, description, input }) =>
    harmlessJson({ name, description, parameters: input }),
  );
  return `# Tools

You can call tools. These are all there are, each with the JSON Schema of its parameters:

${listed.join("\n")}

To call a tool, write the call exactly in this form, and nothing after it:

${renderCalls(dialect, EXAMPLES.slice(0, 1))}

To call several tools at once:

${renderCalls(dialect, EXAMPLES)}

Then stop and wait: the results come in the next message. Never write results yourself. Where no tool is needed, answer without a call.`;
}

/** Writes results, in order, as the text of the next message. */
export function renderResults(dialect: DialectName, results: readonly ToolResult[]): string {
  const { result } = dialectOf(dialect);
  return results.map(({ name, content }) => fillResult(result, name, contentText(content))).join("\n");
}
