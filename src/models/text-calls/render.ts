import type { ToolResult } from "../../core/result.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { DialectName } from "./dialects/dialects.ts";
import { dialectOf } from "./dialects/dialects.ts";
import type { WrittenCall } from "./dialects/styles.ts";
import { harmlessJson } from "./dialects/styles.ts";
import { contentText } from "../../util/text/content-text.ts";

/** Calls as a model that speaks this dialect writes them. They read back as they were, unless a text holds the dialect's own closing marker. */
export function renderCalls(dialect: DialectName, calls: readonly WrittenCall[]): string {
  return calls.length === 0 ? "" : dialectOf(dialect).style.calls(calls);
}

/** One call, as `renderCalls` writes it. */
export function renderCall(dialect: DialectName, call: WrittenCall): string {
  return renderCalls(dialect, [call]);
}

const EXAMPLES: readonly WrittenCall[] = [
  { name: "first_tool", input: { text_parameter: "value", number_parameter: 2 } },
  { name: "second_tool", input: { text_parameter: "other value" } },
];

/** The part of a system prompt that lists the tools and says how to call them; "" where there are none. */
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

/** The answers to calls, in their order, as the text of the next message. */
export function renderResults(dialect: DialectName, results: readonly ToolResult[]): string {
  const { style } = dialectOf(dialect);
  return results.map(({ name, content }) => style.result(name, contentText(content))).join("\n");
}
