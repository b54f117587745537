import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import { GRANT_SCOPES, WORKSPACE_GRANT, type Grant } from "../../core/grant.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { idOfSubject } from "../../core/subject.ts";
import type { ApprovalTrace } from "../../core/store/journal.ts";
import type { Job } from "../../core/job.ts";
import type { Verdict } from "../../core/verdict.ts";
import { rehearse } from "../call/rehearse.ts";
import { hashOfJob } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import { NO_APPROVER, askApprover } from "../call/ask-approver.ts";
import { UNTRUSTED_TEXT, WORKSPACE_BOUNDARY } from "../../core/policy.ts";
import {
  RESTART,
  cancelledError,
  required,
  untrustedIn,
  type CallState,
  type StageOutcome,
} from "../call/call-state.ts";
import { examineInnerCalls, isByMode, withoutGrant } from "./inner-calls.ts";
import type { Resumed } from "../types/options.ts";
import { applyVerdict, refusalBy, verdictOn } from "./judge.ts";
import { placeOf } from "./route.ts";
import { suspend } from "./suspend.ts";
import { definitionOf, hasSameApprovers, unmetDemand } from "./unmet-demand.ts";

/** Decides about a call that policy asks about: by an earlier grant, or the approver. Without an approver the call is denied. */
export async function ask(state: CallState, judged: Verdict): Promise<StageOutcome> {
  const { engine, slot, options } = state;
  const current = await withGrants(state, judged);
  if (current !== judged) applyVerdict(state, current);
  if (current.kind !== "ask") return refusalBy(current);
  const question = await requestOn(state, current);
  if (question === undefined) return undefined;
  const place = options.place ?? placeOf(engine.executors, required(state.job, "job").tool);
  const fault = await rehearse(state, place, (job) => verdictOn(state, undefined, job).kind === "allow");
  if (fault !== undefined) return fault;
  const { request, verdict, keys } = question;
  const { decision } = options;
  if (decision === undefined && options.whenAsked === "return")
    return suspend(state, request, verdict.rule, keys);
  if (decision === undefined && engine.approver === undefined) return denied(verdict, noApprover(state));
  // Another call uses the slot while the approver decides.
  slot?.leave();
  const askedAt = Date.now();
  const asking = askUnlessCancelled(state, request);
  const approval = await (options.whileAsked === undefined ? asking : options.whileAsked(asking));
  state.approval = toTrace(approval, askedAt);
  await slot?.enter();
  if (!approval.approved) return denied(verdict, approval);
  const unmet = unmetDemand(state, request, approval);
  if (unmet !== undefined) return denied(verdict, unmet);
  if (approval.input !== undefined) return useEdited(state, approval.input);
  state.context.approvedCalls = keys;
  await storeGrant(state, verdict, request.hash, approval);
  return undefined;
}

interface Asked {
  readonly request: ApprovalRequest;
  readonly verdict: Verdict;
  /** Keys of the calls that an approval covers. */
  readonly keys: ReadonlySet<string> | undefined;
}

/** Returns what an approver is asked about a call that no grant covers; undefined if there is no question. */
export async function requestOn(state: CallState, judged: Verdict): Promise<Asked | undefined> {
  if (judged.kind !== "ask") return undefined;
  const inner = await examineInnerCalls(state);
  // Its calls are judged on their own: without a question about one of them there is none about the whole.
  if (inner?.keys.size === 0 && isByMode(judged)) return undefined;
  const verdict = inner === undefined ? judged : withoutGrant(judged);
  const calls = inner === undefined ? undefined : { calls: inner.requests };
  return { request: { ...toRequest(state, verdict), ...calls }, verdict, keys: inner?.keys };
}

function toTrace(approval: Approval, askedAt: number): ApprovalTrace {
  const { approved, by } = approval;
  const more = approved ? { scope: approval.scope } : { reason: approval.reason };
  return { askedAt, answeredAt: Date.now(), approved, ...(by !== undefined && { by }), ...more };
}

/** Goes on with a suspended call, if it is still the call that was shown. */
export async function applyDecision(
  state: CallState,
  judged: Verdict,
  { decision, request, rule, approvedCalls }: Resumed,
): Promise<StageOutcome> {
  const { engine, call, origin } = state;
  state.approval = toTrace(decision, state.startedAt);
  engine.emit({ ...origin, type: "approval.answered", callId: call.id, approved: decision.approved });
  if (!decision.approved) return denied({ ...judged, rule, reason: request.reason }, decision);
  const verdict = await withGrants(state, judged);
  if (verdict.kind === "deny") return refusalBy(verdict);
  const isSame = hashOfJob(required(state.job, "job")) === request.hash;
  const isOther = verdict.rule !== rule || !hasSameApprovers(verdict, request);
  if (!isSame || (verdict.kind === "ask" && isOther))
    return {
      code: "DENIED",
      message: `"${call.name}" is not the call that was approved: its tool, its targets or the rules about it have changed since`,
      hint: "run the call again to get a new approval",
      details: { rule },
    };
  const unmet = unmetDemand(state, request, decision);
  if (unmet !== undefined) return denied(verdict, unmet);
  if (decision.input !== undefined) return useEdited(state, decision.input);
  state.context.approvedCalls = approvedCalls;
  await storeGrant(state, { ...verdict, ...shownGrants(request) }, request.hash, decision);
  return undefined;
}

/** Returns what could be saved when the person decided. */
function shownGrants({ grant, ungrantable, offers }: ApprovalRequest): Partial<Verdict> {
  return { grant, ungrantable, offers } as Partial<Verdict>;
}

/** Withdraws the request when the call is cancelled. */
async function askUnlessCancelled(state: CallState, request: ApprovalRequest): Promise<Approval> {
  if (state.cancelled) throw cancelledError(state.engine, state.options.signal);
  const asking = new AbortController();
  const stop = state.onCancel(() => asking.abort(cancelledError(state.engine, state.options.signal)));
  try {
    return await state.orCancelled(askApprover(state.engine, request, asking.signal, state.options.decision));
  } finally {
    stop();
  }
}

/** Returns the verdict of policy with the earlier approvals of this call, or of a rule that covers it, if they allow it or folders were added to the workspace. */
export async function findGrant(state: CallState, verdict: Verdict): Promise<Verdict | undefined> {
  if (verdict.kind !== "ask" || (verdict.ungrantable !== undefined && verdict.offers === undefined))
    return undefined;
  const job = required(state.job, "job");
  const hash = hashOfJob(job);
  const { session } = state.options;
  const subject = idOfSubject(state.options.subject);
  const { grants: stored } = state.engine;
  const ofTool = await stored.find({ session, subject, tool: job.tool.name, hash });
  const isBeyond = verdict.rule === WORKSPACE_BOUNDARY;
  const added = isBeyond
    ? await stored.find({ session, subject, tool: WORKSPACE_GRANT, hash: WORKSPACE_GRANT })
    : [];
  const matchingGrants = [...ofTool, ...added];
  const { since } = untrustedIn(state);
  // What a person approved before the text came was not made for it.
  const isMade = ({ grantedAt, rule }: Grant): boolean =>
    grantedAt > since || rule?.afterUntrustedText === true;
  const grants = verdict.rule === UNTRUSTED_TEXT ? matchingGrants.filter(isMade) : matchingGrants;
  if (grants.length === 0) return undefined;
  const judged = verdictOn(state, grants);
  // With a folder that was added to the workspace, the call may be another question.
  return judged.kind === "allow" || added.length > 0 ? judged : undefined;
}

async function withGrants(state: CallState, judged: Verdict): Promise<Verdict> {
  return (await findGrant(state, judged)) ?? judged;
}

/** Replaces the input by the one that a person wrote: it is validated and judged, but needs no further approval. */
function useEdited(state: CallState, input: JsonObject): StageOutcome {
  state.replacement = input;
  state.isApproved = true;
  return RESTART;
}

type Approved = Extract<Approval, { readonly approved: true }>;

/** Saves the rule that the person chose: one of the offers, or the narrowest one for the scope. */
async function storeGrant(
  state: CallState,
  verdict: Verdict,
  hash: string,
  approval: Approved,
): Promise<void> {
  const offer = approval.offer === undefined ? undefined : verdict.offers?.[approval.offer];
  const { scope: chosen, rule } = offer ?? { scope: approval.scope, rule: verdict.grant };
  // Checked by name: an unknown scope lasts no longer than the call.
  const scope = GRANT_SCOPES.find((one) => one === chosen);
  if (scope === undefined) return;
  if (offer === undefined && (approval.offer !== undefined || verdict.ungrantable !== undefined)) return;
  const { engine, call, options } = state;
  const subject = idOfSubject(options.subject);
  const tool = required(state.entry, "tool").tool.name;
  const folder = folderOf(required(state.job, "job"));
  for (const one of [rule, ...(offer?.more ?? [])]) {
    const id = globalThis.crypto.randomUUID();
    const saved =
      offer?.adds === undefined
        ? { hash, tool, ...defined({ rule: one, folder }) }
        : { hash: WORKSPACE_GRANT, tool: WORKSPACE_GRANT, adds: offer.adds };
    await engine.grants.add(
      { id, scope, ...saved, grantedAt: Date.now(), ...defined({ subject }) },
      options.session,
    );
    engine.emit({ ...state.origin, type: "approval.saved", callId: call.id, grantId: id, scope });
  }
}

/** Returns the folder of the call's command; undefined if it has none. */
function folderOf({ facts }: Job): string | undefined {
  return facts.find((fact) => fact.kind === "command")?.cwd;
}

function toRequest(state: CallState, verdict: Verdict): ApprovalRequest {
  const job = required(state.job, "job");
  const { call, tool, input, facts, risk } = job;
  // A copy, so that the approver cannot change the input that runs.
  const inputCopy = copyJson(input, "INVALID_INPUT");
  if (!isObject(inputCopy)) throw new TypeError("the input must be an object");
  const { session, parentId } = state.options;
  const subject = idOfSubject(state.options.subject);
  const { grant, ungrantable, offers, approvers } = verdict;
  return {
    callId: call.id,
    tool: tool.name,
    risk: verdict.risk ?? risk,
    input: inputCopy,
    facts,
    reason: verdict.reason,
    hash: hashOfJob(job),
    definition: definitionOf(tool),
    ...(isByMode(verdict) && { isByMode: true }),
    ...defined({ session, parentId, subject, grant, ungrantable, offers, approvers }),
  };
}

/** A tool with the risk and the effects that `defineTool` assumes may only read. */
function noApprover({ entry }: CallState): Denial {
  const { risk, effects, source } = required(entry, "tool").tool;
  if (risk !== "medium" || effects !== "unsafe" || source !== "app") return NO_APPROVER;
  const hint = `${NO_APPROVER.hint}; if the tool only reads, define it with reading: true`;
  return { ...NO_APPROVER, hint };
}

type Denial = Exclude<Approval, { readonly approved: true }>;

function denied(verdict: Verdict, approval: Denial): StageOutcome {
  // An approver written in JavaScript may give no reason.
  const rawReason: unknown = approval.reason;
  const reason = typeof rawReason === "string" ? rawReason.replace(/\.$/, "") : "";
  const isPersons = approval.declined === true;
  const isDeclined = isPersons || (approval.hint === undefined && approval.dismissed === undefined);
  // What policy knows comes first: the approver's hint is the same for every call.
  const hints = isPersons ? [approval.hint] : [verdict.hint, approval.hint];
  const hint = hints.filter((one) => one !== undefined).join("; ") || undefined;
  return {
    code: "DENIED",
    message: isDeclined
      ? `${isPersons ? "The user declined this call" : "The call was declined"}${reason === "" ? "" : `: ${reason}`}. Nothing was run.`
      : `${verdict.reason}; not approved${reason === "" ? "" : `: ${reason}`}`,
    ...defined({ hint }),
    details: { rule: verdict.rule, ...(isPersons && { declined: reason }) },
  };
}
