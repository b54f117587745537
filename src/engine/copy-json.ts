import type { ErrorCode } from "../core/errors.ts";
import { ToolError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";

const MAX_DEPTH = 200;

/**
 * A deep copy that is JSON and nothing else, so that nobody outside holds a reference to it.
 * Every string goes through `mapText`. Throws `code` on what JSON cannot say: functions, BigInt, circles.
 */
export function copyJson(value: unknown, code: ErrorCode, mapText?: (text: string) => string): Json {
  return copy(value, { code, mapText }, 0) ?? null;
}

/** Sets a key as plain data, also where the key is `__proto__`. */
export function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== "__proto__") {
    target[key] = value;
    return;
  }
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

interface CopyRules {
  readonly code: ErrorCode;
  readonly mapText: ((text: string) => string) | undefined;
}

function copy(value: unknown, rules: CopyRules, depth: number): Json | undefined {
  switch (typeof value) {
    case "string":
      return rules.mapText === undefined ? value : rules.mapText(value);
    case "number":
      return Number.isFinite(value) ? value : null;
    case "boolean":
    case "undefined":
      return value;
    case "object":
      return value === null ? null : copyObject(value, rules, depth);
    default:
      throw new ToolError(rules.code, `a ${typeof value} is not JSON`);
  }
}

function copyObject(value: object, rules: CopyRules, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) {
    throw new ToolError(rules.code, `the value is circular or nested deeper than ${MAX_DEPTH} levels`);
  }
  if (Array.isArray(value)) return value.map((item) => copy(item, rules, depth + 1) ?? null);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return copyInstance(value, rules, depth);
  return copyFields(value, rules, depth);
}

function copyInstance(value: object, rules: CopyRules, depth: number): Json | undefined {
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return copy((value as { toJSON(): unknown }).toJSON(), rules, depth + 1);
  }
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof Promise) {
    throw new ToolError(rules.code, `a ${value.constructor.name} is not JSON`);
  }
  return copyFields(value, rules, depth);
}

function copyFields(value: object, rules: CopyRules, depth: number): JsonObject {
  const target: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const field = copy((value as Record<string, unknown>)[key], rules, depth + 1);
    if (field !== undefined) setOwn(target, key, field);
  }
  return target;
}
