import { invalidInput } from "./check-input.ts";
import type { Job } from "../../core/job.ts";
import type { Fact } from "../../core/fact.ts";
import type { Problem } from "../../core/result.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { factsFault, problemsFault, riskFault } from "../checks/check-declared.ts";
import { circumstancesOf } from "./judge.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";

/** Stage: runs the tool's own checks and creates the job that policy judges, with the facts about what the call touches. */
export function examine(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { tool, hidden } = required(state.entry, "tool");
  if (state.engine.policy.prepare === undefined || tool.facts === undefined) return check(state);
  // The facts of a tool leave out what policy hides, so policy must know it before the facts are known.
  const job = { call: state.call, tool, input: state.input, hidden, facts: [], risk: tool.risk };
  const preparing = prepare(state, job);
  return preparing === undefined ? check(state) : preparing.then(() => check(state));
}

function prepare(state: CallState, job: Job): Promise<undefined> | undefined {
  const preparing = state.engine.policy.prepare?.(job, () => circumstancesOf(state));
  return preparing && state.orCancelled(preparing.then(() => undefined));
}

function check(state: CallState): StageOutcome | Promise<StageOutcome> {
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
  const fault = problemsFault(tool, problems);
  if (fault !== undefined) return fault;
  if (problems !== undefined && problems.length > 0) return invalidInput(state, problems);
  if (tool.facts === undefined) return createJob(state, undefined);
  const facts = tool.facts(state.input, state.context);
  if (!isThenable(facts)) return useFacts(state, facts);
  return state.orCancelled(facts).then((later) => useFacts(state, later));
}

function useFacts(state: CallState, facts: readonly Fact[]): StageOutcome | Promise<StageOutcome> {
  const { tool } = required(state.entry, "tool");
  return factsFault(tool, facts) ?? createJob(state, facts);
}

function createJob(
  state: CallState,
  facts: readonly Fact[] | undefined,
): StageOutcome | Promise<StageOutcome> {
  const { tool, hidden } = required(state.entry, "tool");
  const { call, input, context } = state;
  if (facts !== undefined) context.facts = Object.freeze([...facts]);
  let { risk } = tool;
  if (tool.riskOf !== undefined) {
    risk = tool.riskOf(input, context);
    const fault = riskFault(tool, risk);
    if (fault !== undefined) return fault;
  }
  state.job = { call, tool, input, hidden, facts: context.facts, risk };
  return facts === undefined ? prepare(state, state.job) : undefined;
}
