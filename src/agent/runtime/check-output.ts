import { ToolError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { createValidator } from "../../schema/validate.ts";
import { describeProblems } from "../../json-schema/problems/findings.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The value of a last answer, or why it is not valid. */
export type Output = { readonly data: Json } | { readonly problem: string };

/** Parses a last answer as JSON, also inside a code fence, and validates it. */
export type OutputCheck = (text: string) => Output;

/** Creates the check; rejects if the schema cannot be used. */
export async function createOutputCheck(schema: JsonObject): Promise<OutputCheck> {
  const validator = createValidator(schema, { coerce: false, defaults: false });
  await validator.prepare();
  const probe = validator.check(null);
  if (!probe.ok && "unusable" in probe)
    throw new ToolError("INVALID_INPUT", `the output schema cannot be used: ${probe.unusable}`);
  return (text) => {
    const parsed = parse(text);
    if ("problem" in parsed) return parsed;
    const checked = validator.check(parsed.data);
    if (checked.ok) return { data: checked.value };
    return { problem: describeProblems(checked.problems, "more" in checked ? checked.more : 0, "output") };
  };
}

const FENCED = /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/;

function parse(text: string): Output {
  try {
    return { data: JSON.parse(FENCED.exec(text)?.[1] ?? text) as Json };
  } catch (error) {
    return { problem: `it is not JSON: ${errorMessage(error)}` };
  }
}
