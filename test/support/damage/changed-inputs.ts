import type { JsonObject } from "../../../src/core/json.ts";

/** Returns a number from 0 up to a limit. */
export type Pick = (limit: number) => number;

/** Gives a text of the input what the damage needs: quotes, tags, line breaks. */
export const CHANGED_INPUTS: Partial<
  Record<string, (input: JsonObject, pick: Pick) => JsonObject | undefined>
> = {
  "quotes around a word": (input, pick) => inText(input, pick, (text) => around(text, pick, '"', '"')),
  "one quote": (input, pick) => inText(input, pick, (text) => around(text, pick, '"', "")),
  "no quote is escaped": (input, pick) => inText(input, pick, (text) => around(text, pick, '"', '"')),
  "line breaks in a text": (input, pick) => inText(input, pick, (text) => around(text, pick, "\n", "\n")),
  "unknown escape": (input, pick) =>
    inText(input, pick, (text) => around(text.replaceAll("\\", ""), pick, String.raw`\.`, "")),
  "tag in a value": (input, pick) =>
    inText(input, pick, (text) => around(text, pick, ["<b>", "</tool> ", "<path>"][pick(3)] ?? "", "")),
  "closing tag in a value": (input, pick) => inText(input, pick, (text) => around(text, pick, "\u0003", "")),
  "key in another case": (input, pick) => renamed(input, pick, (key) => key.toUpperCase()),
  "key in snake_case or camelCase": (input, pick) => renamed(input, pick, otherStyle),
  "key with dashes": (input, pick) => renamed(input, pick, (key) => snake(key).replaceAll("_", "-")),
  "number or boolean as a text": asTexts,
};
export const RENAMED = {
  "key in another case": true,
  "key in snake_case or camelCase": true,
  "key with dashes": true,
  "number or boolean as a text": true,
};

function inText(input: JsonObject, pick: Pick, change: (text: string) => string): JsonObject | undefined {
  const keys = Object.keys(input).filter((key) => typeof input[key] === "string" && input[key] !== "");
  const key = keys[pick(keys.length)];
  return key === undefined ? undefined : { ...input, [key]: change(input[key] as string) };
}

function around(text: string, pick: Pick, before: string, after: string): string {
  const words = [...text.matchAll(/[^\s"'`\\]+/g)];
  const word = words[pick(words.length)];
  if (word === undefined) return before + text + after;
  const end = word.index + word[0].length;
  return text.slice(0, word.index) + before + word[0] + after + text.slice(end);
}

function renamed(input: JsonObject, pick: Pick, change: (key: string) => string): JsonObject | undefined {
  const keys = Object.keys(input).filter((key) => change(key) !== key && !Object.hasOwn(input, change(key)));
  const target = keys[pick(keys.length)];
  if (target === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key === target ? change(key) : key, value]),
  );
}

function snake(key: string): string {
  return key.replaceAll(/(?<=[a-z\d])[A-Z]/g, (char) => `_${char.toLowerCase()}`);
}

function otherStyle(key: string): string {
  return key.includes("_") ? key.replaceAll(/_(\w)/g, (_, char: string) => char.toUpperCase()) : snake(key);
}

function asTexts(input: JsonObject): JsonObject | undefined {
  const entries = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === "number" || typeof value === "boolean" ? String(value) : value,
  ]);
  const changed = Object.fromEntries(entries) as JsonObject;
  return JSON.stringify(changed) === JSON.stringify(input) ? undefined : changed;
}
