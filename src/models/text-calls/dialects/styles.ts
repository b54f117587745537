import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";

/** A call that is to be written. */
export interface WrittenCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** How calls and answers are written. */
export interface Style {
  /** Writes calls as the model would. */
  calls(calls: readonly WrittenCall[]): string;
  /** Writes one answer as the model is used to see it. */
  result(name: string, text: string): string;
}

type WriteCall = (call: WrittenCall, index: number) => string;
type WriteResult = Style["result"];

/** Each call between markers of its own. */
export function each(open: string, close: string, write: WriteCall, more: Partial<Around> = {}): Style {
  const { before = "", after = "", between = "\n", result = taggedResult("tool_response") } = more;
  return {
    calls: (calls) =>
      before + calls.map((call, index) => open + write(call, index) + close).join(between) + after,
    result,
  };
}

interface Around {
  readonly before: string;
  readonly after: string;
  readonly between: string;
  readonly result: WriteResult;
}

/** All calls as one list between two markers. */
export function list(open: string, close: string, write: WriteCall, result?: WriteResult): Style {
  return {
    calls: (calls) => `${open}[${calls.map(write).join(", ")}]${close}`,
    result: result ?? taggedResult("tool_response"),
  };
}

/** A call as a JSON object with its name and its input under these keys. */
export function json(nameKey = "name", inputKey = "arguments"): WriteCall {
  return ({ name, input }) => JSON.stringify({ [nameKey]: name, [inputKey]: input });
}

/** `name(key=value)`. */
export function python({ name, input }: WrittenCall): string {
  const values = Object.entries(input).map(([key, value]) => `${key}=${pythonLiteral(value)}`);
  return `${name}(${values.join(", ")})`;
}

function pythonLiteral(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${(value as Json[]).map(pythonLiteral).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item)}`,
  );
  return `{${entries.join(", ")}}`;
}

/** Gemma's notation: bare keys, strings between special tokens. */
export function gemma(quote: string): WriteCall {
  const literal = (value: Json): string => {
    if (typeof value === "string") return quote + value + quote;
    if (Array.isArray(value)) return `[${(value as Json[]).map(literal).join(",")}]`;
    return isObject(value) ? object(value) : JSON.stringify(value);
  };
  const object = (value: JsonObject): string =>
    `{${Object.entries(value)
      .map(([key, item]) => `${key}:${literal(item)}`)
      .join(",")}}`;
  return ({ name, input }) => `call:${name}${object(input)}`;
}

/** How one parameter is written between tags. */
export interface ParameterStyle {
  open(key: string, value: Json): string;
  close(key: string): string;
  /** What the values have around them: a line break always, or only where they would lose their own. */
  readonly breaks: "always" | "needed" | "never";
  readonly escape?: (text: string) => string;
  readonly between?: string;
}

/** Parameters one by one; texts as they are, all else as JSON. */
export function parameters({ input }: WrittenCall, style: ParameterStyle): string {
  const { escape = (text: string) => text, between = "\n" } = style;
  return Object.entries(input)
    .map(([key, value]) => {
      const text = escape(typeof value === "string" ? value : JSON.stringify(value));
      return style.open(key, value) + padded(text, style.breaks) + style.close(key);
    })
    .join(between);
}

function padded(text: string, breaks: ParameterStyle["breaks"]): string {
  const loses = /^\r?\n/.test(text) && /\r?\n[ \t]*$/.test(text);
  return breaks === "always" || (breaks === "needed" && loses) ? `\n${text}\n` : text;
}

/** An answer between two tags, which it cannot close itself. */
export function taggedResult(tag: string): WriteResult {
  return (name, text) => `<${tag}>\n${harmlessJson({ name, content: text })}\n</${tag}>`;
}

/** An answer behind a marker and before another. */
export function framedResult(open: string, close = ""): WriteResult {
  return (name, text) => `${open}${harmlessJson({ name, content: text })}${close}`;
}

/** JSON in which no text can end what stands around it, or pass for a token of the model's: servers take these for what they look like. */
export function harmlessJson(value: Json): string {
  return JSON.stringify(value)
    .replaceAll(/<(?=[|｜/]|\w+\|>)/g, String.raw`\u003c`)
    .replaceAll(/\[(?=\/?[A-Z_]+\])/g, String.raw`\u005b`);
}

/** The characters that markup would take for its own. */
export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
