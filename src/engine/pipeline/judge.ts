import type { CommandFact, Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import type { Fault } from "../../core/result.ts";
import type { Circumstances } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import { hashOfJob } from "../../util/json/call-hash.ts";
import { defined } from "../../util/json/defined.ts";
import { runsElsewhere } from "./route.ts";
import { checkVerdict } from "../checks/check-verdict.ts";
import { required, untrustedIn, type CallState, type StageOutcome } from "../call/call-state.ts";

/** Stage: asks policy for a verdict. A deny stops the call; an ask goes on to `approve`. */
export function judge(state: CallState): StageOutcome {
  const { engine, call, options } = state;
  const verdict = verdictOn(state);
  state.verdict = verdict;
  applyVerdict(state, verdict);
  if (engine.hasListeners("call.judged"))
    engine.emit({
      type: "call.judged",
      at: state.at,
      session: options.session,
      parentId: options.parentId,
      callId: call.id,
      name: call.name,
      verdict,
    });
  return refusalBy(verdict);
}

/** Returns the answer of a call that policy denies; undefined for another one. */
export function refusalBy({ kind, reason, hint, rule }: Verdict): Fault | undefined {
  if (kind !== "deny") return undefined;
  return { code: "DENIED", message: reason, ...defined({ hint }), details: { rule } };
}

/** Returns the verdict of policy on the call, or on another job in its place, turned from allow into ask if a hook demands approval. */
export function verdictOn(
  state: CallState,
  grants?: Circumstances["grants"],
  job: Job = required(state.job, "job"),
): Verdict {
  const { engine, approvalDemand } = state;
  const limits = circumstancesOf(state);
  const circumstances = grants === undefined ? limits : { ...limits, ...byGrants(job, grants) };
  const verdict = checkVerdict(
    circumstances === undefined ? engine.policy.judge(job) : engine.policy.judge(job, circumstances),
  );
  if (approvalDemand === undefined || verdict.kind !== "allow") return verdict;
  return {
    kind: "ask",
    reason: approvalDemand.reason,
    rule: `hook.${approvalDemand.hook}`,
    ungrantable: "a hook demands approval of each such call",
    ...defined({ proven: verdict.proven, isConfined: verdict.isConfined }),
  };
}

/** Returns what policy must know about a call besides its job; undefined if that is nothing, as for most calls. */
export function circumstancesOf(state: CallState): Circumstances | undefined {
  const { engine, options, session } = state;
  const { ceilings } = options;
  const subject = typeof options.subject === "string" ? { id: options.subject } : options.subject;
  const { origins: untrusted } = untrustedIn(state);
  const rules = session?.rules;
  const mode = engine.currentMode?.();
  const isElsewhere = runsElsewhere(state) || undefined;
  const isPlain =
    ceilings === undefined &&
    subject === undefined &&
    rules === undefined &&
    mode === undefined &&
    isElsewhere === undefined &&
    untrusted === undefined;
  return isPlain ? undefined : defined({ subject, ceilings, rules, mode, isElsewhere, untrusted });
}

// Closures in functions of their own: in those above, every call would allocate what they capture.
function byGrants(job: Job, grants: NonNullable<Circumstances["grants"]>): Circumstances {
  return { grants, hash: () => hashOfJob(job) };
}

/** Puts the proven arguments, the place, the sandbox and the guard into the command fact, where the tool that runs commands reads them. */
export function applyVerdict(state: CallState, verdict: Verdict): void {
  const { proven: argv, place, isConfined } = verdict;
  const { approvedBy } = state.options;
  const isGuarded = approvedBy === "engine" ? true : verdict.isGuarded;
  if (argv === undefined && isGuarded === undefined && isConfined === undefined) return;
  const { facts } = required(state.job, "job");
  // A person who edited the input has approved it.
  const isByPerson = state.isApproved && approvedBy !== "engine";
  state.setFacts(
    withDecision(facts, defined(isByPerson ? { argv, isConfined } : { argv, place, isGuarded, isConfined })),
  );
}

function withDecision(facts: readonly Fact[], decided: Partial<CommandFact>): readonly Fact[] {
  return facts.map((fact) => (fact.kind === "command" ? { ...fact, ...decided } : fact));
}
