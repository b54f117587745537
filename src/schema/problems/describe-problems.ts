import type { Problem } from "../../core/result.ts";

/** Returns all problems of an input as one message that a model can act on: the place, what was expected, what was given, what was probably meant. */
export function describeProblems(problems: readonly Problem[], more = 0): string {
  const lines = problems.map(describeProblem);
  if (more > 0) lines.push(`… and ${more} more`);
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return only;
  return `${problems.length + more} problems:\n- ${lines.join("\n- ")}`;
}

function describeProblem(problem: Problem): string {
  const { kind, path, expected, got, near = [], schema } = problem;
  const where = path === "" ? "the input" : path;
  const meant =
    near.length === 0 ? "" : `; did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?`;
  // The schema helps with a missing or mistyped value; the list of names with an unknown name.
  const part = schema === undefined ? "" : `; schema: ${JSON.stringify(schema)}`;
  switch (kind) {
    case "missing":
      return `${where} is missing: expected ${expected}${part}`;
    case "unknown":
      return `${where} is not a parameter: expected ${expected}${meant}`;
    default:
      return `${where}: expected ${expected}, got ${got}${meant}${part}`;
  }
}
