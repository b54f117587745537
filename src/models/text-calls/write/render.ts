import type { ToolResult } from "../../../core/result.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import { dialectOf, type DialectName } from "../dialects/dialects.ts";
import { typeName } from "../values/typed-text.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";

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

/** A call that is to be written. */
export interface WrittenCall {
  readonly name: string;
  readonly input: JsonObject;
}

const CALLS = /^([^«]*)«([^]*?)(?:┊([^┊›»]*))?»([^»]*)$/;
const PARAMETERS = /(\n?)‹([^┊›]*)(?:┊([^›]*))?›(\n?)/;
const PLACEHOLDER = /\$([a-zA-Z]+\d?)(&?)/g;

/** Writes calls in a form of the dialect table. */
function fillCalls(form: string, calls: readonly WrittenCall[]): string {
  const [, before = "", call = form, between = "\n", after = ""] = CALLS.exec(form) ?? [];
  return before + calls.map((each, index) => fillCall(call, each, index)).join(between) + after;
}

/** Writes one result in a form of the dialect table. */
function fillResult(form: string, name: string, text: string): string {
  return fill(form, {
    name: () => name,
    result: () => harmlessJson({ name, content: text }),
    content: () => harmlessJson(text),
    text: () => text,
  });
}

type Values = Readonly<Record<string, () => string>>;

function fill(form: string, values: Values): string {
  return form.replaceAll(PLACEHOLDER, (_, word: string, escape: string) => {
    const text = values[word]?.() ?? "";
    return escape === "" ? text : escapeMarkup(text);
  });
}

function fillCall(form: string, { name, input }: WrittenCall, index: number): string {
  const values: Values = {
    name: () => name,
    key: () => JSON.stringify(name),
    input: () => JSON.stringify(input),
    keywords: () => toKeywords(input),
    gemma3: () => toGemma(input, "<escape>"),
    gemma4: () => toGemma(input, '<|"|>'),
    index: () => String(index),
    number: () => String(index + 1),
  };
  const parameterMatch = PARAMETERS.exec(form);
  if (parameterMatch === null) return fill(form, values);
  const [whole, lineBefore = "", parameter = "", between = "\n", lineAfter = ""] = parameterMatch;
  const filled = Object.entries(input).map(([key, value]) => fillParameter(parameter, key, value));
  const parameters = filled.length === 0 ? lineAfter : `${lineBefore}${filled.join(between)}${lineAfter}`;
  return (
    fill(form.slice(0, parameterMatch.index), values) +
    parameters +
    fill(form.slice(parameterMatch.index + whole.length), values)
  );
}

/** Writes a text as it is, and any other value as JSON. */
function fillParameter(form: string, key: string, value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const isPadded = /^\r?\n/.test(text) && /\r?\n[ \t]*$/.test(text);
  return fill(form, {
    parameter: () => key,
    type: () => typeName(value),
    isText: () => String(typeof value === "string"),
    raw: () => text,
    value: () => (isPadded ? `\n${text}\n` : text),
  });
}

function toKeywords(input: JsonObject): string {
  return Object.entries(input)
    .map(([key, value]) => `${key}=${toPython(value)}`)
    .join(", ");
}

function toPython(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${(value as Json[]).map(toPython).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toPython(item)}`);
  return `{${entries.join(", ")}}`;
}

/** Writes Gemma's notation: bare keys, strings between special tokens. */
function toGemma(value: Json, quote: string): string {
  if (typeof value === "string") return quote + value + quote;
  if (Array.isArray(value)) return `[${(value as Json[]).map((item) => toGemma(item, quote)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${key}:${toGemma(item, quote)}`);
  return `{${entries.join(",")}}`;
}

/** Writes JSON in which no text can close an enclosing marker or be taken for a special token by the model's server. */
function harmlessJson(value: Json): string {
  return JSON.stringify(value)
    .replaceAll(/<(?=[|｜/]|\w+\|>)/g, String.raw`\u003c`)
    .replaceAll(/\[(?=\/?[A-Z_]+\])/g, String.raw`\u005b`);
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
