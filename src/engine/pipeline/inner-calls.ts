import type { InnerRequest } from "../../core/approval.ts";
import type { Job } from "../../core/job.ts";
import type { Verdict } from "../../core/verdict.ts";
import { hashOfJob } from "../../util/json/call-hash.ts";
import { required, type CallState } from "../call/call-state.ts";

/** Returns true if a person approved this call together with the call that makes it. */
export function isApprovedWithCaller({ options, job }: CallState, verdict: Verdict): boolean {
  const { approvedCalls } = options;
  return (
    approvedCalls !== undefined &&
    mayBeApprovedTogether(verdict) &&
    approvedCalls.has(keyOf(required(job, "job"), verdict))
  );
}

/** Binds an approval to the call and the reason that was shown: an earlier call of a batch may change what a later one touches. */
function keyOf(job: Job, { rule }: Verdict): string {
  return `${hashOfJob(job)} ${rule}`;
}

/** Protected targets, disasters and demands of hooks get a question of their own: among many calls they are overlooked. */
function mayBeApprovedTogether(verdict: Verdict): boolean {
  return verdict.kind === "ask" && (isByMode(verdict) || verdict.ungrantable === undefined);
}

/** Returns true if no rule decided, only the mode. A rule that names approvers may have any id. */
export function isByMode({ rule, approvers }: Verdict): boolean {
  return rule.startsWith("mode.") && approvers === undefined;
}

/** Returns the verdict without lasting approvals: each of the calls can be granted separately. */
export function withoutGrant({ grant: _grant, offers: _offers, ...verdict }: Verdict): Verdict {
  return { ...verdict, ungrantable: verdict.ungrantable ?? "each of its calls can be granted separately" };
}

interface InnerCalls {
  readonly requests: readonly InnerRequest[];
  /** Of the calls that an approval covers. */
  readonly keys: ReadonlySet<string>;
}

/** Examines the calls that the call would make; returns undefined if its tool does not declare them. */
export async function examineInnerCalls({
  engine,
  entry,
  input,
  options,
  call,
}: CallState): Promise<InnerCalls | undefined> {
  const calls = entry?.tool.calls?.(input);
  if (calls === undefined) return undefined;
  const examined = await Promise.all(
    calls.map((one, index) => engine.examine({ id: `${call.id}.${index + 1}`, ...one }, options)),
  );
  const keys = examined.flatMap(({ verdict, job }) =>
    verdict !== undefined && job !== undefined && mayBeApprovedTogether(verdict) ? [keyOf(job, verdict)] : [],
  );
  const requests = examined.map(({ verdict, fault, facts }, index): InnerRequest => ({
    tool: calls[index]?.name ?? "",
    input: calls[index]?.input,
    facts,
    decision: verdict?.kind ?? "deny",
    ...(verdict?.kind === "ask" && !mayBeApprovedTogether(verdict) && { isAskedAgain: true }),
    reason: verdict?.reason ?? fault?.message ?? "",
  }));
  return { requests, keys: new Set(keys) };
}
