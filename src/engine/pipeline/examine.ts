import { invalidInput } from "./check-input.ts";
import type { Fact } from "../../core/fact.ts";
import type { Problem } from "../../core/result.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";

/** Stage: runs the tool's own checks and creates the job that policy judges, with the facts about what the call touches. */
export function examine(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { tool } = required(state.entry, "tool");
  const problems = tool.check?.(state.input, state.context);
  if (!isThenable(problems)) return findFacts(state, problems);
  return state.orCancelled(problems).then((later) => findFacts(state, later));
}

function findFacts(
  state: CallState,
  problems: readonly Problem[] | undefined,
): StageOutcome | Promise<StageOutcome> {
  const { tool } = required(state.entry, "tool");
  if (problems !== undefined && problems.length > 0) return invalidInput({ tool }, problems);
  const facts = tool.facts?.(state.input, state.context);
  if (!isThenable(facts)) return createJob(state, facts);
  return state.orCancelled(facts).then((later) => createJob(state, later));
}

function createJob(state: CallState, facts: readonly Fact[] | undefined): undefined {
  const { tool, hidden } = required(state.entry, "tool");
  const { call, input, context } = state;
  if (facts !== undefined) context.facts = Object.freeze([...facts]);
  const risk = tool.riskOf === undefined ? tool.risk : tool.riskOf(input, context);
  state.job = { call, tool, input, hidden, facts: context.facts, risk };
}
