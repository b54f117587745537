import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Problem } from "../../core/result.ts";
import type { Tool } from "../../core/tool.ts";
import { createValidator } from "../../schema/validate.ts";
import { describeProblems } from "../../schema/problems/describe-problems.ts";

/** Validates and coerces the input as the engine does, and fills in defaults. Throws with all problems. */
export function checkInput(tool: Tool, given: Json): JsonObject {
  if (!isObject(given)) {
    const got = Array.isArray(given) ? "a list" : given === null ? "null" : `a ${typeof given}`;
    return refuse([{ kind: "type", path: "", expected: "an object with the parameters", got }]);
  }
  const checked = createValidator(tool.input).check(given);
  if (!checked.ok) return refuse(checked.problems);
  return checked.value as JsonObject;
}

/** Throws if there are problems. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) refuse(problems);
}

function refuse(problems: readonly Problem[]): never {
  throw new ToolError("INVALID_INPUT", `invalid input: ${describeProblems(problems)}`, {
    details: { problems: problems as unknown as readonly JsonObject[] },
  });
}
