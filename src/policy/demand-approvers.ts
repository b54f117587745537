import type { Verdict } from "../core/verdict.ts";
import { describeApprovers } from "../util/people/match-people.ts";
import type { Limits } from "./layers/limits.ts";
import { matchRule } from "./match/match-rule.ts";
import type { Subject } from "./match/subject.ts";

/** Returns the verdict, with the approvers that the rules of the call name: they approve it each time, whatever else allows it. */
export function demandApprovers(verdict: Verdict, subject: Subject, { rules }: Limits): Verdict {
  if (verdict.kind === "deny" || rules.every(({ demands }) => demands.length === 0)) return verdict;
  const demands = rules.flatMap((set) => set.demands.filter((rule) => matchRule(rule, subject) !== "none"));
  const [first] = demands;
  const approvers = demands.flatMap(({ rule }) => rule.approvers ?? []);
  if (first === undefined) return verdict;
  const whom = approvers.map(describeApprovers).join("; and ");
  const { grant: _grant, offers: _offers, ...asked } = verdict;
  const { isConfined } = verdict;
  const own = verdict.kind === "ask" ? asked : { ...(isConfined === true && { isConfined }), rule: first.id };
  const reason = verdict.kind === "ask" ? verdict.reason : `"${subject.job.tool.name}" needs approval`;
  return {
    ...own,
    kind: "ask",
    reason: `${reason}, by ${whom}`,
    ungrantable: "a rule names who approves it",
    approvers,
  };
}
