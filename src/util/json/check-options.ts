import { ToolError } from "../../core/errors.ts";
import { nearHint } from "../text/near-hint.ts";

/** What an option may be: one of some texts, what this check accepts, or anything. */
export type OptionKind = readonly string[] | keyof typeof CHECKS | `${typeof WITH}${string}`;

/** The kind of every option of a function. */
export type OptionKinds<T> = { readonly [K in keyof T]-?: OptionKind };

/** Before the name of a method; a class with static methods, and a function that has it, is right too. */
const WITH = "an object with a function ";

const CHECKS = {
  "a number of at least 0": (value: unknown) => typeof value === "number" && value >= 0,
  "a positive number": (value: unknown) => typeof value === "number" && value > 0,
  "a text": (value: unknown) => typeof value === "string",
  "a text that is not empty": (value: unknown) => typeof value === "string" && value !== "",
  "true or false": (value: unknown) => typeof value === "boolean",
  "a function": (value: unknown) => typeof value === "function",
  "a list": (value: unknown) => Array.isArray(value),
  "a list of texts": isTexts,
  "an id that is not empty, or { id, groups, roles }": isUser,
  "an object": (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
  "an AbortSignal": (value: unknown) => hasMethod(value, "addEventListener"),
  anything: () => true,
} as const satisfies Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * Throws `INVALID_INPUT` for an option that the function does not have, with the nearest name, or that has a wrong value: it would be
 * ignored, or turn off a limit. The error has only the type of the value, which may be a secret.
 */
export function checkOptions<T extends object>(what: string, options: T, kinds: OptionKinds<T>): void {
  const problem = optionProblem(options, kinds);
  if (problem === undefined) return;
  throw new ToolError("INVALID_INPUT", `${what}: ${problem.message}`, { hint: problem.hint });
}

/** Throws `INVALID_INPUT` for an option without which the function cannot work. */
export function requireOptions<T extends object>(
  what: string,
  options: T,
  names: readonly (keyof T & string)[],
): void {
  const missing = names.find((name) => options[name] === undefined);
  if (missing === undefined) return;
  throw new ToolError("INVALID_INPUT", `${what}: the option "${missing}" is missing`);
}

interface OptionProblem {
  /** Undefined if no single option is wrong. */
  readonly name?: string;
  readonly message: string;
  readonly hint?: string;
}

/** Returns what is wrong with the first wrong option; undefined if all are right. For an unknown one, the hint has the names of `shown`. */
export function optionProblem<T extends object>(
  options: T,
  kinds: OptionKinds<T>,
  shown: object = kinds,
): OptionProblem | undefined {
  if (!CHECKS["an object"](options)) return { message: `expected options, got ${typeName(options)}` };
  // No entries: this runs in every call.
  for (const name in options) {
    const value: unknown = options[name];
    const kind: OptionKind | undefined = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined)
      return {
        name,
        message: `unknown option "${name}"`,
        hint: nearHint(name, Object.keys(shown), `use ${Object.keys(shown).join(", ")}`),
      };
    if (value === undefined || isRight(kind, value)) continue;
    const expected = typeof kind === "string" ? kind : `one of ${kind.join(", ")}`;
    const message = `${name}: expected ${expected}, got ${typeName(value)}`;
    const isNear = typeof kind !== "string" && typeof value === "string";
    return isNear
      ? { name, message, hint: nearHint(value, kind, `use ${kind.join(", ")}`) }
      : { name, message };
  }
  return undefined;
}

function isRight(kind: OptionKind, value: unknown): boolean {
  if (typeof kind !== "string") return kind.includes(value as string);
  return isKey(kind) ? CHECKS[kind](value) : hasMethod(value, kind.slice(WITH.length));
}

/** Returns true for a list of texts. */
export function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Returns true for the id of a user and for a user as an object. An unknown member would be a group or a role by another name, which then counts for nothing. */
export function isUser(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null) return false;
  const { id, groups = [], roles = [], ...others } = value as Readonly<Record<string, unknown>>;
  const isNamed = typeof id === "string" && id !== "";
  return isNamed && isTexts(groups) && isTexts(roles) && Object.keys(others).length === 0;
}

function isKey(kind: string): kind is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, kind);
}

function typeName(value: unknown): string {
  if (typeof value === "number" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : typeof value;
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    (typeof value === "function" || (typeof value === "object" && value !== null)) &&
    typeof (value as Readonly<Record<string, unknown>>)[name] === "function"
  );
}
