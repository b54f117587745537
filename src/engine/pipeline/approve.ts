import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Verdict } from "../../core/policy.ts";
import { askApprover, nobodyToAsk } from "./ask-approver.ts";
import { hashOfJob } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { verdictOn } from "./judge.ts";
import { AGAIN, cancelledError, given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";

/** Station: where policy says ask, a grant from before, a person or the host program decides. Nobody to ask means no. */
export function approve(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const verdict = given(passage.verdict, "verdict");
  return verdict.kind === "allow" || passage.isApproved ? undefined : ask(passage, verdict);
}

async function ask(passage: Passage, verdict: Verdict): Promise<StationOutcome> {
  const { line, slot } = passage;
  const request = toRequest(passage, verdict);
  if ((await grantedBefore(passage, verdict)) !== undefined) return undefined;
  if (line.approver === undefined) return denied(verdict, nobodyToAsk);
  // While someone thinks, the place in the queue is another call's.
  slot?.leave();
  const approval = await askUnlessCancelled(passage, request);
  await slot?.enter();
  if (!approval.approved) return denied(verdict, approval);
  if (approval.input !== undefined) return useEdited(passage, approval.input);
  const { scope } = approval;
  // By name: whatever else an approver says lasts no longer than the call.
  if (scope === "session" || scope === "always") await keep(passage, verdict, request.hash, scope);
  return undefined;
}

/** Whoever is asked is told when the call is cancelled: nobody has to think about it any more. */
async function askUnlessCancelled(passage: Passage, request: ApprovalRequest): Promise<Approval> {
  if (passage.cancelled) throw cancelledError();
  const asking = new AbortController();
  const stop = passage.onCancel(() => asking.abort(cancelledError()));
  try {
    return await passage.orCancelled(askApprover(passage.line, request, asking.signal));
  } finally {
    stop();
  }
}

/** What is said of a call that someone said yes to before: to this very call, or to a rule that covers it. */
export async function grantedBefore(passage: Passage, verdict: Verdict): Promise<Verdict | undefined> {
  if (verdict.kind !== "ask" || verdict.ungrantable !== undefined) return undefined;
  const grants = await passage.line.grants.list(passage.options.session);
  if (grants.length === 0) return undefined;
  const hash = hashOfJob(given(passage.job, "job"));
  const exact = grants.find((grant) => grant.hash === hash);
  if (exact !== undefined) {
    const reason = "this very call was granted before";
    return { ...verdict, kind: "allow", reason, rule: `grant.${exact.id}` };
  }
  const judged = verdictOn(passage, grants);
  return judged.kind === "allow" ? judged : undefined;
}

/** What the person wrote instead of the call's input: checked and judged like any other, and approved by having been written. */
function useEdited(passage: Passage, input: JsonObject): StationOutcome {
  passage.replacement = input;
  passage.isApproved = true;
  return AGAIN;
}

async function keep(
  passage: Passage,
  verdict: Verdict,
  hash: string,
  scope: "session" | "always",
): Promise<void> {
  if (verdict.ungrantable !== undefined) return;
  const { line, call, options } = passage;
  const rule = verdict.grant === undefined ? {} : { rule: verdict.grant };
  const id = globalThis.crypto.randomUUID();
  const tool = given(passage.entry, "tool").tool.name;
  await line.grants.add({ id, scope, hash, tool, grantedAt: Date.now(), ...rule }, options.session);
  line.send({ type: "approval.kept", callId: call.id, grantId: id, scope });
}

function toRequest(passage: Passage, verdict: Verdict): ApprovalRequest {
  const job = given(passage.job, "job");
  const { call, tool, input, facts, risk } = job;
  // A copy: what is approved stays what runs, whatever the approver does with what it was shown.
  const shown = copyJson(input, "INVALID_INPUT");
  if (!isObject(shown)) throw new TypeError("an input is an object");
  const { session } = passage.options;
  return {
    callId: call.id,
    tool: tool.name,
    risk: verdict.risk ?? risk,
    input: shown,
    facts,
    reason: verdict.reason,
    hash: hashOfJob(job),
    ...(session === undefined ? {} : { session }),
    ...(verdict.grant === undefined ? {} : { grant: verdict.grant }),
    ...(verdict.ungrantable === undefined ? {} : { ungrantable: verdict.ungrantable }),
  };
}

function denied(verdict: Verdict, approval: Exclude<Approval, { readonly approved: true }>): StationOutcome {
  const hint = approval.hint ?? verdict.hint;
  return {
    code: "DENIED",
    message: `${verdict.reason}, and ${approval.reason}`,
    ...(hint === undefined ? {} : { hint }),
    details: { rule: verdict.rule },
  };
}
