import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { words } from "../scan/scan.ts";
import { repairJson } from "../../../util/json/repair-json.ts";
import type { TextCall } from "./emitter.ts";

const NAME_KEYS = [...words("name tool_name function_name tool function recipient_name action")];
const INPUT_KEYS = [...words("arguments parameters args input tool_input params kwargs action_input")];
const ID_KEYS = ["id", "tool_call_id", "call_id"];
const LIST_KEYS = ["tool_calls", "tool_uses", "function_call", "tool_call"];
const CALL_KEYS = new Set([...NAME_KEYS, ...INPUT_KEYS, ...ID_KEYS, ...LIST_KEYS, "type", "index"]);

interface ToCallsOptions {
  /** Whether there is no marker: then it must have an input, and only keys that calls have. */
  readonly isBare?: boolean;
  /** Whether the only key is the tool's name: `{"tool": {…input…}}`. */
  readonly isByName?: boolean;
}

/** Returns whether a call written as JSON may have this key. */
export function isCallKey(key: string): boolean {
  return CALL_KEYS.has(key);
}

/** Returns the calls in a JSON value, which is one or a list of them; undefined if it is neither. */
export function toCalls(value: Json, options: ToCallsOptions = {}): readonly TextCall[] | undefined {
  if (Array.isArray(value)) return toList(value as readonly Json[], options);
  if (!isObject(value)) return undefined;
  const listKey = LIST_KEYS.find((key) => Object.hasOwn(value, key) && typeof value[key] === "object");
  if (listKey !== undefined) return toCalls(value[listKey] ?? null, options);
  const call = toCall(value, options);
  return call === undefined ? undefined : [call];
}

function toList(values: readonly Json[], options: ToCallsOptions): readonly TextCall[] | undefined {
  const calls = values.map((value) => (isObject(value) ? toCalls(value, options) : undefined));
  const isBroken = calls.includes(undefined) || (options.isBare === true && calls.length === 0);
  return isBroken ? undefined : calls.flatMap((each) => each ?? []);
}

function toCall(value: JsonObject, options: ToCallsOptions): TextCall | undefined {
  const inner = value["function"];
  if (isObject(inner)) return toCall({ ...pick(value, ID_KEYS), ...inner }, options);
  const name = firstOf(value, NAME_KEYS);
  if (typeof name !== "string" || name.trim() === "")
    return options.isByName === true ? byName(value) : undefined;
  const inputKey = INPUT_KEYS.find((key) => Object.hasOwn(value, key));
  // Without an input, other keys may be a misspelled one.
  const isWhole = inputKey !== undefined && options.isBare !== true;
  if (!isWhole && !Object.keys(value).every(isCallKey)) return undefined;
  if (options.isBare === true && (inputKey === undefined || name === "Final Answer")) return undefined;
  const id = firstOf(value, ID_KEYS);
  const input = inputKey === undefined ? {} : toInput(value[inputKey] ?? {});
  return { name: name.trim(), input, ...(typeof id === "string" && id !== "" ? { id } : {}) };
}

function byName(value: JsonObject): TextCall | undefined {
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return undefined;
  return { name: entry[0], input: toInput(entry[1]) };
}

/** Parses an input that is written as a string of JSON. */
function toInput(input: Json): Json {
  if (typeof input !== "string") return input;
  const parsed = repairJson(input);
  return isObject(parsed?.value) ? parsed.value : input;
}

function firstOf(value: JsonObject, keys: readonly string[]): Json | undefined {
  const key = keys.find((one) => Object.hasOwn(value, one));
  return key === undefined ? undefined : value[key];
}

function pick(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key] ?? null]),
  );
}
