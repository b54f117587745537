import { untrustedIn, required, type CallState, type StageOutcome } from "../call/call-state.ts";

/**
 * Stage: records that the answer will bring text from outside into the session. Before the tool runs: its failures and its progress have such text too, and a
 * crash must not leave the text without the record.
 */
export function noteUntrusted(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { policy } = state.engine;
  const job = required(state.job, "job");
  if (policy.originOf === undefined || (job.facts.length === 0 && job.tool.isUntrusted !== true))
    return undefined;
  const origin = policy.originOf(job);
  return origin === undefined
    ? undefined
    : untrustedIn(state)
        .add(origin)
        ?.then(() => undefined);
}
