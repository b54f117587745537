import { ToolError, type ErrorCode } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { MAX_JSON_DEPTH, mayBeRounded } from "./parse-json.ts";
import { setOwn } from "./set-own.ts";

/**
 * Returns a deep copy that is pure JSON and shares nothing with the original. Strings, with the name of their field, and keys that are
 * not names are passed through `mapText`.
 * A value without a JSON form (function, BigInt, cycle) throws `code`, or becomes null without a code.
 */
export function copyJson(value: unknown, code: ErrorCode | undefined, mapText?: MapText): Json {
  return copyBy({ code, mapText }, value);
}

/**
 * Returns a deep copy of the input of a call, as `copyJson`. Throws `INVALID_INPUT` for what would change it: the key `__proto__`, which
 * sets the prototype of a copy by assignments, and an integer that a parser may have rounded.
 */
export function copyInput(input: unknown): Json {
  return copyBy({ code: "INVALID_INPUT", mapText: undefined, isInput: true }, input);
}

function copyBy(rules: CopyRules, value: unknown): Json {
  const copied =
    typeof value === "object" && value !== null
      ? copyObject(value, rules, 0, undefined)
      : copyLeaf(value, rules, undefined);
  return copied ?? null;
}

/** Items of a list have the name of the list. */
type MapText = (text: string, name?: string) => string;

interface CopyRules {
  readonly code: ErrorCode | undefined;
  readonly mapText: MapText | undefined;
  readonly isInput?: true;
}

/** Runs in every call, so written for speed: shallow copies are native, and only changed fields are written. */
function copyObject(
  value: object,
  rules: CopyRules,
  depth: number,
  name: string | undefined,
): Json | undefined {
  if (depth > MAX_JSON_DEPTH) {
    return refuse(rules, `the value is circular or nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  if (Array.isArray(value)) return copyArray(value, rules, depth, name);
  if (isInstance(value)) return copyInstance(value, rules, depth, name);
  // A spread takes own keys only, `__proto__` as plain data among them.
  const target = { ...value } as Record<string, unknown>;
  const { mapText } = rules;
  let mapKey: CopyRules["mapText"];
  for (const key in target) {
    if (mapText !== undefined && !NAME.test(key)) mapKey = mapText;
    if (isRefused(key, rules))
      return refuse(rules, "an input cannot have the key __proto__: use another name");
    const field = target[key];
    if (isItself(field, rules)) continue;
    const copied =
      typeof field === "object" && field !== null
        ? copyObject(field, rules, depth + 1, key)
        : copyLeaf(field, rules, key);
    if (copied === undefined) delete target[key];
    else if (copied !== field && Object.hasOwn(target, key)) target[key] = copied;
  }
  return mapKey === undefined ? (target as Json) : mapKeys(target as JsonObject, mapKey);
}

function isRefused(key: string, { isInput }: CopyRules): boolean {
  return key === "__proto__" && isInput === true;
}

/** A list with holes has any length for free; its copy would block the process for minutes. */
const MAX_ITEMS = 10_000_000;

function copyArray(
  value: readonly unknown[],
  rules: CopyRules,
  depth: number,
  name: string | undefined,
): Json | undefined {
  if (value.length > MAX_ITEMS)
    return refuse(rules, `a list of ${value.length} items is too long`, `return at most ${MAX_ITEMS}`);
  // A spread is native for a frozen list too, `slice` is not.
  return copyList([...value], rules, depth + 1, name);
}

function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype !== Object.prototype && prototype !== null) || hasToJson(value);
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** A key that is a name, which programs look up; any other is data. */
const NAME = /^[A-Za-z_]*$/;

/** Maps the keys that are data. Keys that become equal stay apart. */
function mapKeys(source: JsonObject, mapKey: (text: string) => string): JsonObject {
  const target: Record<string, Json> = {};
  let count = 1;
  for (const key of Object.keys(source)) {
    const plain = NAME.test(key) ? key : mapKey(key);
    let mapped = plain;
    while (Object.hasOwn(target, mapped)) mapped = `${plain} ${(count += 1)}`;
    setOwn(target, mapped, source[key] ?? null);
  }
  return target;
}

function copyList(target: unknown[], rules: CopyRules, depth: number, name: string | undefined): Json {
  for (let index = 0; index < target.length; index += 1) {
    const item = target[index];
    if (isItself(item, rules)) continue;
    const copied =
      typeof item === "object" && item !== null
        ? copyObject(item, rules, depth, name)
        : copyLeaf(item, rules, name);
    target[index] = copied ?? null;
  }
  return target as Json[];
}

/** Returns true for a value that is its own copy, as most are. */
function isItself(value: unknown, { mapText, isInput }: CopyRules): boolean {
  if (typeof value === "string") return mapText === undefined;
  if (typeof value !== "number") return typeof value === "boolean";
  return Number.isFinite(value) && (isInput !== true || !mayBeRounded(value));
}

function copyLeaf(value: unknown, rules: CopyRules, name: string | undefined): Json | undefined {
  switch (typeof value) {
    case "string":
      return rules.mapText === undefined ? value : rules.mapText(value, name);
    case "number":
      if (rules.isInput !== true || !mayBeRounded(value)) return Number.isFinite(value) ? value : null;
      return refuse(rules, `the integer ${value} may have been rounded on its way: send its digits as text`);
    case "boolean":
    case "undefined":
      return value;
    default:
      return value === null ? null : refuse(rules, `a ${typeof value} is not JSON`, ADVICE[typeof value]);
  }
}

/** Copies an object of a class: its JSON form if it has one, else its own fields, unless it is known to have no JSON form. */
function copyInstance(
  value: object,
  rules: CopyRules,
  depth: number,
  name: string | undefined,
): Json | undefined {
  if (hasToJson(value)) {
    const json: unknown = value.toJSON();
    return typeof json === "object" && json !== null
      ? copyObject(json, rules, depth + 1, name)
      : copyLeaf(json, rules, name);
  }
  const advice = adviceOn(value);
  if (advice !== undefined) return refuse(rules, `${nameOf(value)} is not JSON`, advice);
  return copyObject({ ...value }, rules, depth, name);
}

/** What to return instead of an object whose fields are not its value, by the tag that it has in every realm. */
const ADVICE: Readonly<Record<string, string>> = {
  bigint: "return it as text: String(value)",
  Map: "return Object.fromEntries(map)",
  Set: "return [...set]",
  Promise: "await it",
  Error: "throw it, or return its message",
  DOMException: "throw it, or return its message",
  RegExp: "return its source",
  Response: "return await response.text() or response.json()",
  Request: "return its url, or what it answers",
  Headers: "return Object.fromEntries(headers)",
  FormData: "return Object.fromEntries(data)",
  Blob: "return new Uint8Array(await blob.arrayBuffer()), or its text",
  File: "return new Uint8Array(await file.arrayBuffer()), or its text",
  Generator: "return [...generator], or make it an async generator",
};

function adviceOn(value: object): string | undefined {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return "return the bytes alone as a Uint8Array, or as base64 text";
  const tag = tagOf(value);
  return tag.endsWith(" Iterator") ? "return [...iterator]" : ADVICE[tag];
}

function nameOf(value: object): string {
  const name = value.constructor?.name || tagOf(value);
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

function refuse({ code }: CopyRules, message: string, hint?: string): null {
  if (code === undefined) return null;
  // What to return is advice for the author of a tool: an input is the caller's.
  throw new ToolError(code, message, code === "INVALID_OUTPUT" ? { hint } : {});
}
