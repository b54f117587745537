import type { Json, JsonObject } from "../../../src/core/json.ts";
import { dialectOf, type DialectName } from "../../../src/models/text-calls/dialects/dialects.ts";
import { renderCall } from "../../../src/models/text-calls/write/render.ts";

/** A part of a written input. */
export interface Token {
  readonly kind: "punctuation" | "key" | "text" | "word";
  readonly raw: string;
  readonly depth: number;
  /** The text of a key or text. */
  readonly text?: string;
}

export type Notation = "json" | "python" | "gemma" | "markup";

export function notationOf(dialect: DialectName): Notation {
  const { call } = dialectOf(dialect);
  if (call.includes("$input")) return "json";
  if (call.includes("$keywords")) return "python";
  return call.includes("$gemma") ? "gemma" : "markup";
}

/** A call in three parts, of which the middle one is the input. */
export interface WrittenInput {
  readonly before: string;
  readonly tokens: readonly Token[];
  readonly after: string;
}

/** Returns the tokens of the input in a dialect whose input is one value. */
export function writtenInput(dialect: DialectName, name: string, input: JsonObject): WrittenInput {
  const whole = renderCall(dialect, { name, input });
  const tokens = tokensOf(dialect, input);
  const raw = joinTokens(tokens);
  const at = raw === "" ? whole.lastIndexOf(")") : whole.lastIndexOf(raw);
  if (at < 0) throw new Error(`${dialect}: the input is not in ${whole}`);
  return { before: whole.slice(0, at), tokens, after: whole.slice(at + raw.length) };
}

export function joinTokens(tokens: readonly Token[]): string {
  return tokens.map(({ raw }) => raw).join("");
}

function tokensOf(dialect: DialectName, input: JsonObject): readonly Token[] {
  const notation = notationOf(dialect);
  if (notation === "json") return valueTokens(input, JSON_FORM, 0);
  if (notation === "gemma") {
    const mark = dialectOf(dialect).call.includes("gemma4") ? '<|"|>' : "<escape>";
    return valueTokens(input, { ...JSON_FORM, key: (key) => key, text: (text) => mark + text + mark }, 0);
  }
  return Object.entries(input).flatMap(([key, value], index) => [
    ...(index === 0 ? [] : [punctuation(", ", 1)]),
    { kind: "key", raw: key, text: key, depth: 1 } as const,
    punctuation("=", 1),
    ...valueTokens(value, PYTHON_FORM, 1),
  ]);
}

interface Form {
  readonly key: (key: string) => string;
  readonly text: (text: string) => string;
  readonly word: (value: Json) => string;
  readonly comma: string;
  readonly colon: string;
}

const JSON_FORM: Form = {
  key: (key) => JSON.stringify(key),
  text: (text) => JSON.stringify(text),
  word: (value) => JSON.stringify(value),
  comma: ",",
  colon: ":",
};
const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
const PYTHON_FORM: Form = {
  ...JSON_FORM,
  word: (value) => PYTHON_WORDS[JSON.stringify(value)] ?? JSON.stringify(value),
  comma: ", ",
  colon: ": ",
};

function punctuation(raw: string, depth: number): Token {
  return { kind: "punctuation", raw, depth };
}

function valueTokens(value: Json, form: Form, depth: number): readonly Token[] {
  if (typeof value === "string") return [{ kind: "text", raw: form.text(value), text: value, depth }];
  if (typeof value !== "object" || value === null) return [{ kind: "word", raw: form.word(value), depth }];
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => valueTokens(item as Json, form, depth + 1))
    : Object.entries(value).map(([key, item]) => [
        { kind: "key", raw: form.key(key), text: key, depth: depth + 1 } as const,
        punctuation(form.colon, depth + 1),
        ...valueTokens(item, form, depth + 1),
      ]);
  return [
    punctuation(isList ? "[" : "{", depth),
    ...items.flatMap((item, index) => (index === 0 ? item : [punctuation(form.comma, depth + 1), ...item])),
    punctuation(isList ? "]" : "}", depth),
  ];
}

/** A parameter that is written between tags. */
export interface WrittenParameter {
  readonly key: string;
  /** What precedes the value, with what separates it from the parameter before. */
  readonly open: string;
  readonly value: string;
  readonly close: string;
}

export interface WrittenMarkup {
  readonly head: string;
  readonly parameters: readonly WrittenParameter[];
  readonly tail: string;
}

const CLOSE = /^\n?(?:\]<\]minimax\[>\[)?<(?:\/[^>]+|\|close\|>argument<\|sep\|)>/;
const OPEN =
  /\n?(?:<arg_key>[^<]*<\/arg_key>\n?<arg_value>|(?:\]<\]minimax\[>\[)?<(?:\|open\|>argument [^>]*>|[^<>|]*>))\n?$/;

/** Returns the parameters of a call in a dialect that has tags for each. */
export function writtenMarkup(dialect: DialectName, name: string, input: JsonObject): WrittenMarkup {
  const keys = Object.keys(input);
  const marks = keys.map((_, index) => `\u0001${index}\u0002`);
  const values = keys.map((key) => {
    const value = input[key];
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  // A mark has the type of its value, which some dialects write beside it.
  const shown = renderCall(dialect, {
    name,
    input: Object.fromEntries(keys.map((key, index) => [key, marks[index] ?? ""])),
  });
  const pieces = shown.split(/\u0001\d+\u0002/);
  const first = OPEN.exec(pieces[0] ?? "")?.[0] ?? "";
  const head = (pieces[0] ?? "").slice(0, (pieces[0] ?? "").length - first.length);
  const parameters = keys.map((key, index) => {
    const after = pieces[index + 1] ?? "";
    const open = index === 0 ? first : (pieces[index] ?? "").slice(closeOf(pieces[index] ?? "").length);
    const type = typeof input[key] === "string" ? open : retyped(open, input[key] ?? null);
    return { key, open: type, value: values[index] ?? "", close: closeOf(after) };
  });
  const last = pieces.at(-1) ?? "";
  return { head, parameters, tail: keys.length === 0 ? "" : last.slice(closeOf(last).length) };
}

function closeOf(text: string): string {
  return CLOSE.exec(text)?.[0] ?? "";
}

function retyped(open: string, value: Json): string {
  const type = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  return open.replace('type="string"', `type="${type}"`).replace('string="true"', 'string="false"');
}

export function joinMarkup({ head, parameters, tail }: WrittenMarkup): string {
  return head + parameters.map(({ open, value, close }) => open + value + close).join("") + tail;
}
