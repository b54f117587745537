import type { Circumstances, Verdict } from "../../core/policy.ts";
import { hashOfJob } from "../../util/json/call-hash.ts";
import { defined } from "../../util/json/defined.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";

/** Stage: asks policy for a verdict. A deny stops the call; an ask goes on to `approve`. */
export function judge(state: CallState): StageOutcome {
  const { engine, call } = state;
  const verdict = verdictOn(state);
  state.verdict = verdict;
  // A person who edited the input has approved it, so a proof is not needed.
  const place = state.isApproved ? undefined : verdict.place;
  if (verdict.proven !== undefined || place !== undefined) setDecision(state, verdict.proven, place);
  if (engine.hasListeners("call.judged"))
    engine.emit({ type: "call.judged", callId: call.id, name: call.name, verdict });
  if (verdict.kind !== "deny") return undefined;
  return {
    code: "DENIED",
    message: verdict.reason,
    ...(verdict.hint === undefined ? {} : { hint: verdict.hint }),
    details: { rule: verdict.rule },
  };
}

/** Returns the verdict of policy, turned from allow into ask if a hook demands approval. */
export function verdictOn(state: CallState, grants?: Circumstances["grants"]): Verdict {
  const { engine, options, approvalDemand } = state;
  const { ceilings } = options;
  const job = required(state.job, "job");
  const verdict =
    ceilings === undefined && grants === undefined
      ? engine.policy.judge(job)
      : engine.policy.judge(job, {
          ...(ceilings === undefined ? {} : { ceilings }),
          ...(grants === undefined ? {} : { grants, hash: () => hashOfJob(job) }),
        });
  if (approvalDemand === undefined || verdict.kind !== "allow") return verdict;
  return {
    kind: "ask",
    reason: approvalDemand.reason,
    rule: `hook.${approvalDemand.hook}`,
    ungrantable: "a hook demands approval of each such call",
    ...(verdict.proven === undefined ? {} : { proven: verdict.proven }),
  };
}

/** Puts the proven arguments and the place into the command fact, where the tool that runs commands reads them. */
function setDecision(state: CallState, argv: Verdict["proven"], place: Verdict["place"]): void {
  const { facts } = required(state.job, "job");
  const decided = defined({ argv, place });
  state.setFacts(facts.map((fact) => (fact.kind === "command" ? { ...fact, ...decided } : fact)));
}
