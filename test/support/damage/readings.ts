import type { Json, JsonObject } from "../../../src/core/json.ts";
import { notationOf, type Notation, type WrittenMarkup } from "./notation.ts";
import { isValid } from "./real-calls.ts";
import type { DamagedCall } from "./kinds.ts";

/**
 * The oracle: the inputs that a damaged text may mean. It knows nothing of the reader. It undoes each kind of damage by itself and keeps
 * what a validator that is not ours accepts, so that a text has one reading only if no other damage explains it.
 */
export function readingsOf(damaged: DamagedCall): ReadonlySet<string> {
  const { call, dialect, payload, isCut } = damaged;
  if (isCut) return new Set();
  if (payload === undefined) return otherReadings(damaged);
  const schema = call.tools.find(({ name }) => name === call.name)?.input ?? {};
  const notation = notationOf(dialect);
  const keys = Object.keys((schema["properties"] ?? {}) as JsonObject);
  const parse = (text: string): string | undefined => accepted(parseStrictly(text, notation), schema);
  const strict = parse(payload);
  if (strict !== undefined) return new Set([strict]);
  const undone = [
    ...UNDO.flatMap((undo) => undo(payload, notation)),
    ...quoteReadings(payload, keys, notation),
  ];
  const readings = new Set(undone.map(parse).filter((reading) => reading !== undefined));
  return readings;
}

/** Returns the input as one text, independent of the order of its keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function accepted(value: Json | undefined, schema: JsonObject): string | undefined {
  if (value === undefined) return undefined;
  return isValid(schema, value) ? canonical(value) : undefined;
}

function parseStrictly(text: string, notation: Notation): Json | undefined {
  try {
    return withoutDoubleKeys(notation === "json" ? text : toJson(text, notation));
  } catch {
    return undefined;
  }
}

/** Parses JSON in which no object has a key twice. */
function withoutDoubleKeys(text: string): Json | undefined {
  const value = JSON.parse(text) as Json;
  const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)];
  return strings.filter(([, colon]) => colon !== undefined).length === keysIn(value) ? value : undefined;
}

function keysIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).map(keysIn);
  return inner.reduce((sum, one) => sum + one, Array.isArray(value) ? 0 : inner.length);
}

/** Splits a text into strings and what is between them. */
function outside(text: string, change: (part: string) => string): string {
  return text.replaceAll(
    /("(?:[^"\\]|\\.)*")|([^"]+|")/gs,
    (_, quoted?: string, part = "") => quoted ?? change(part as string),
  );
}

function toJson(text: string, notation: Notation): string {
  if (notation === "gemma") {
    const quoted = text.replaceAll(
      /<\|"\|>(.*?)<\|"\|>|<escape>(.*?)<escape>/gs,
      (_, one?: string, two?: string) => JSON.stringify(one ?? two),
    );
    return outside(quoted, (part) => part.replaceAll(/([{,]\s*)([^\s:"{}[\],]+)\s*:/g, '$1"$2":'));
  }
  const named = outside(text, (part) =>
    part
      .replaceAll(/(^|,)\s*([A-Za-z_]\w*)\s*=/g, '$1"$2":')
      .replaceAll(
        /\b(True|False|None)\b/g,
        (word) => ({ True: "true", False: "false", None: "null" })[word] ?? word,
      ),
  );
  return `{${named}}`;
}

type Undo = (text: string, notation: Notation) => readonly string[];

/** What undoes each kind of damage, as the damaged notation allows. */
const UNDO: readonly Undo[] = [
  // Comments.
  (text) => [
    text.replaceAll(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*(?:\n|$)|\/\*.*?\*\/|#[^\n]*(?:\n|$)/gs,
      (_, quoted?: string) => quoted ?? " ",
    ),
  ],
  // Commas.
  (text) => [
    outside(text, (part) => part.replaceAll(/,\s*(?=[}\]])/g, "")),
    outside(text, (part) => part.replaceAll(/,\s*,/g, ",")),
    text.replace(/,\s*$/, ""),
    ...gapsOf(text).map((at) => `${text.slice(0, at)},${text.slice(at)}`),
  ],
  // Quotes, words and signs.
  (text) => [
    text.replaceAll(/'([^'"\\]*)'/g, '"$1"'),
    text.replaceAll(/[“”]/g, '"'),
    outside(text, (part) => part.replaceAll(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":')),
    outside(text, (part) =>
      part.replaceAll(
        /\b(True|False|None)\b/g,
        (word) => ({ True: "true", False: "false", None: "null" })[word] ?? word,
      ),
    ),
    outside(text, (part) => part.replaceAll("=", ":")),
    text.replaceAll(String.raw`\"`, '"'),
  ],
  // Texts.
  (text) => [
    text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, (quoted) =>
      quoted.replaceAll("\n", String.raw`\n`).replaceAll("\t", String.raw`\t`),
    ),
    text.replaceAll(/\\(?!["\\/bfnrtu])/g, String.raw`\\`),
  ],
  // Brackets.
  (text) => [`${text}}`, text.replace(/\}\s*$/, "")],
  // A quote that is missing at either end of a key or a text.
  (text) =>
    [...text.matchAll(/[\s,:{}[\]=]|$|^/g)].flatMap(({ index }) => [
      `${text.slice(0, index)}"${text.slice(index)}`,
      `${text.slice(0, index + 1)}"${text.slice(index + 1)}`,
    ]),
];

/** Returns where a comma may be missing: between a value and what follows it. */
function gapsOf(text: string): readonly number[] {
  return [...text.matchAll(/\s/g)].map(({ index }) => index);
}

const MANY = 64;

/** Returns the texts in which some quotes inside strings are escaped, so that the others enclose them. */
function quoteReadings(text: string, keys: readonly string[], notation: Notation): readonly string[] {
  if (notation === "gemma") return [];
  const known = keys.map((key) => key.replaceAll(/[^\w]/g, String.raw`\$&`)).join("|");
  const nextKey = notation === "python" ? String.raw`(?:${known})\s*=` : String.raw`"(?:${known})"\s*:`;
  const mayEnd = new RegExp(String.raw`^\s*(?::|,\s*(?:${nextKey}|["{[\d\-tfnTFN])|[}\]]|$)`);
  const surely = new RegExp(
    String.raw`^\s*(?::|,\s*${nextKey}|[}\]]\s*[}\],]*\s*$${notation === "python" ? "|$" : ""})`,
  );
  const found: string[] = [];
  const visit = (at: number, done: string, inside: "out" | "clean" | "quoted"): void => {
    if (found.length >= MANY) return;
    const next = text.slice(at).search(/["\\]/);
    if (next < 0) {
      if (inside === "out") found.push(done + text.slice(at));
      return;
    }
    const here = at + next;
    const before = done + text.slice(at, here);
    if (text[here] === "\\") return visit(here + 2, before + text.slice(here, here + 2), inside);
    const rest = text.slice(here + 1);
    if (inside === "out") return visit(here + 1, `${before}"`, "clean");
    if (mayEnd.test(rest)) visit(here + 1, `${before}"`, "out");
    if (inside === "quoted" || !surely.test(rest)) visit(here + 1, `${before}\\"`, "quoted");
  };
  visit(0, "", "out");
  return found;
}

/** Damage outside the input, and in markup: what it may mean is known from how it was made. */
function otherReadings({ call, kind, markup, text, isBracketLost }: DamagedCall): ReadonlySet<string> {
  const truth = canonical(call.input);
  const several = new Set([truth, "another"]);
  const schema = call.tools.find(({ name }) => name === call.name)?.input ?? {};
  const known = Object.keys((schema["properties"] ?? {}) as JsonObject);
  if (
    RENAMES.has(kind) &&
    known.some((key) => known.some((other) => other !== key && plain(other) === plain(key)))
  )
    return several;
  // More parameters may have been lost with the end of the call.
  if (kind === "call not closed" && (markup !== undefined || isBracketLost)) return several;
  if (markup === undefined) return new Set([truth]);
  return isAmbiguous(kind, text, markup, schema) ? several : new Set([truth]);
}

/** Returns whether markup may be a part of a value, or not. */
function isAmbiguous(kind: string, text: string, { parameters }: WrittenMarkup, schema: JsonObject): boolean {
  if (kind === "parameter not closed") {
    const next = parameters[parameters.findIndex(({ close }) => close === "") + 1];
    const isRequired =
      next !== undefined && (schema["required"] as string[] | undefined)?.includes(next.key) === true;
    return next !== undefined && !next.open.startsWith("\n") && !isRequired;
  }
  if (kind === "tag in a value")
    return text.includes("<path>") && Object.hasOwn((schema["properties"] ?? {}) as JsonObject, "path");
  if (kind !== "closing tag in a value") return false;
  // What follows it may be the next parameter, or the end of the call.
  return parameters.some(({ value, close }) => close !== "" && value.trimEnd().endsWith(close.trim()));
}

const RENAMES = new Set(["key in another case", "key in snake_case or camelCase", "key with dashes"]);

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, "");
}
