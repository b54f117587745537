import type { Problem } from "../../core/result.ts";

/** Returns a problem if a parameter that this call needs is missing. */
export function missingProblem(parameter: string, value: unknown, when: string): readonly Problem[] {
  if (value !== undefined) return [];
  return [{ kind: "missing", path: `/${parameter}`, expected: `${parameter} for ${when}`, got: "nothing" }];
}
