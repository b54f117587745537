import type { Fact } from "../../core/fact.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Problem } from "../../core/result.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";
import { describeProblems } from "../../schema/validate.ts";

/** Station: asks the tool for its own checks and for what the call would touch; makes the job that policy judges. */
export function examine(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const { tool } = given(passage.entry, "tool");
  const problems = tool.check?.(passage.input, passage.context);
  if (!isThenable(problems)) return findFacts(passage, problems);
  return passage.orCancelled(problems).then((later) => findFacts(passage, later));
}

function findFacts(
  passage: Passage,
  problems: readonly Problem[] | undefined,
): StationOutcome | Promise<StationOutcome> {
  const { tool } = given(passage.entry, "tool");
  if (problems !== undefined && problems.length > 0) return failedCheck(tool.name, problems);
  const facts = tool.facts?.(passage.input, passage.context);
  if (!isThenable(facts)) return makeJob(passage, facts);
  return passage.orCancelled(facts).then((later) => makeJob(passage, later));
}

function makeJob(passage: Passage, facts: readonly Fact[] | undefined): undefined {
  const { tool, hidden } = given(passage.entry, "tool");
  const { call, input, context } = passage;
  if (facts !== undefined) context.facts = Object.freeze([...facts]);
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
