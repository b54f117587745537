import { isThenable } from "../async/thenable.ts";
import { shortened } from "../text/shortened.ts";

const MAX_TEXT = 60;

/** Returns a wrong value in a few words for an error message: `nothing`, `a promise`, `"text"`, `an object`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(shortened(value, MAX_TEXT));
  if (isThenable(value)) return "a promise";
  if (Array.isArray(value)) return "a list";
  if (value === null || typeof value === "number" || typeof value === "boolean") return `${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Drops the failure of a promise that nothing waits for, where no promise is allowed: it must not end the process. */
export function ignoreRejection(value: unknown): void {
  if (isThenable(value)) void Promise.resolve(value).catch(() => undefined);
}
