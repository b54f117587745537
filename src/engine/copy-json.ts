import type { ErrorCode } from "../core/errors.ts";
import { ToolError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";

const MAX_DEPTH = 200;

/**
 * A deep copy that is JSON and nothing else, so that nobody outside holds a reference to it.
 * Every string goes through `mapText`. What JSON cannot say (functions, BigInt, circles) throws `code`, or is null without one.
 */
export function copyJson(
  value: unknown,
  code: ErrorCode | undefined,
  mapText?: (text: string) => string,
): Json {
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
  readonly code: ErrorCode | undefined;
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
      return refuse(rules, `a ${typeof value} is not JSON`);
  }
}

function copyObject(value: object, rules: CopyRules, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) {
    return refuse(rules, `the value is circular or nested deeper than ${MAX_DEPTH} levels`);
  }
  if (Array.isArray(value)) return copyList(value, rules, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return copyInstance(value, rules, depth);
  return copyFields(value, rules, depth);
}

function copyList(value: readonly unknown[], rules: CopyRules, depth: number): readonly Json[] {
  const target = value.slice();
  for (let index = 0; index < target.length; index += 1) {
    if (!isPlain(target[index], rules)) target[index] = copy(target[index], rules, depth + 1) ?? null;
  }
  return target as Json[];
}

function copyInstance(value: object, rules: CopyRules, depth: number): Json | undefined {
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return copy((value as { toJSON(): unknown }).toJSON(), rules, depth + 1);
  }
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof Promise) {
    return refuse(rules, `a ${value.constructor.name} is not JSON`);
  }
  return copyFields(value, rules, depth);
}

function copyFields(value: object, rules: CopyRules, depth: number): JsonObject {
  // A spread is the fastest copy there is, and takes own keys only, `__proto__` as plain data among them.
  const target = { ...value } as Record<string, unknown>;
  for (const key in target) {
    const field = target[key];
    if (isPlain(field, rules) || !Object.hasOwn(target, key)) continue;
    const copied = copy(field, rules, depth + 1);
    if (copied === undefined) delete target[key];
    else target[key] = copied;
  }
  return target as JsonObject;
}

/** True for a value that its copy equals. */
function isPlain(value: unknown, rules: CopyRules): boolean {
  if (typeof value === "string") return rules.mapText === undefined;
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

function refuse({ code }: CopyRules, message: string): null {
  if (code === undefined) return null;
  throw new ToolError(code, message);
}
