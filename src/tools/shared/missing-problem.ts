import type { Problem } from "../../core/result.ts";

/** The problem of a parameter that this call cannot do without; none where it is there. */
export function missingProblem(parameter: string, value: unknown, when: string): readonly Problem[] {
  if (value !== undefined) return [];
  return [{ kind: "missing", path: `/${parameter}`, expected: `${parameter} for ${when}`, got: "nothing" }];
}
