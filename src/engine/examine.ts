import type { Fact } from "../core/fact.ts";
import type { JsonObject } from "../core/json.ts";
import type { Problem } from "../core/result.ts";
import { given } from "./passage.ts";
import type { Passage, StationOutcome } from "./passage.ts";
import { describeProblems } from "./validate.ts";

/** Station: asks the tool for its own checks and for what the call would touch; makes the job that policy judges. */
export function examine(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const { tool } = given(passage.entry, "tool");
  if (tool.check === undefined && tool.facts === undefined) return makeJob(passage);
  return examineSlowly(passage);
}

async function examineSlowly(passage: Passage): Promise<StationOutcome> {
  const { tool } = given(passage.entry, "tool");
  const { input, context } = passage;
  const problems = await passage.orCancelled(tool.check?.(input, context));
  if (problems !== undefined && problems.length > 0) return failedCheck(tool.name, problems);
  const facts: readonly Fact[] | undefined = await passage.orCancelled(tool.facts?.(input, context));
  if (facts !== undefined) context.facts = Object.freeze([...facts]);
  return makeJob(passage);
}

function makeJob(passage: Passage): undefined {
  const { tool, hidden } = given(passage.entry, "tool");
  const { call, input, context } = passage;
  const risk = tool.riskOf === undefined ? tool.risk : tool.riskOf(input, context);
  passage.job = { call, tool, input, hidden, facts: context.facts, risk };
}

function failedCheck(name: string, problems: readonly Problem[]): StationOutcome {
  return {
    code: "INVALID_INPUT",
    message: `invalid input for "${name}": ${describeProblems(problems)}`,
    details: { problems: problems as unknown as readonly JsonObject[] },
  };
}
