import type { Approval, ApprovalRequest, Approver, Question } from "../core/approval.ts";
import type { ToolCall } from "../core/call.ts";
import type { Job } from "../core/job.ts";
import type { Json } from "../core/json.ts";
import { isObject } from "../core/json.ts";
import type { Verdict } from "../core/policy.ts";
import { copyJson } from "./copy-json.ts";
import { toFault } from "./fault.ts";
import type { Line } from "./line.ts";
import { given } from "./passage.ts";
import type { Passage, StationOutcome } from "./passage.ts";

/** Station: where policy says ask, a person or the host program decides. Nobody to ask means no. */
export function approve(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const verdict = given(passage.verdict, "verdict");
  return verdict.kind === "allow" ? undefined : ask(passage, verdict);
}

async function ask(passage: Passage, verdict: Verdict): Promise<StationOutcome> {
  const { line, session } = passage;
  const request = toRequest(given(passage.job, "job"), verdict);
  if (session?.grants.has(request.hash) === true) return undefined;
  if (line.approver === undefined) return denied(verdict, NOBODY);
  line.send({ type: "approval.asked", callId: request.callId, hash: request.hash });
  const approval = await passage.orCancelled(askSafely(line.approver, request, passage.context.signal));
  line.send({ type: "approval.answered", callId: request.callId, approved: approval.approved });
  if (!approval.approved) return denied(verdict, approval);
  if (approval.scope === "session") session?.grants.add(request.hash);
  return undefined;
}

/** Asks on behalf of a tool that is already running. */
export async function askInRun(
  line: Line,
  call: ToolCall,
  question: Question,
  signal: AbortSignal,
): Promise<Approval> {
  if (line.approver === undefined) return NOBODY;
  const input = { question: question.text, ...question.details };
  const hash = hashOf(["question", call.name, call.id, input]);
  const request: ApprovalRequest = {
    callId: call.id,
    tool: call.name,
    risk: "high",
    input,
    facts: [],
    reason: question.text,
    hash,
    question,
  };
  line.send({ type: "approval.asked", callId: call.id, hash });
  const approval = await askSafely(line.approver, request, signal);
  line.send({ type: "approval.answered", callId: call.id, approved: approval.approved });
  return approval;
}

/** An approver that fails has not said yes. */
function askSafely(approver: Approver, request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
  const refuse = (error: unknown): Approval => ({
    approved: false,
    reason: `the approver failed: ${toFault(error).message}`,
  });
  return Promise.resolve(request)
    .then((shown) => approver.ask(shown, signal))
    .then(undefined, refuse);
}

const NOBODY = {
  approved: false,
  reason: "there is nobody to ask",
  hint: "give createEngine an approver, or a mode that allows it",
} as const;

function toRequest({ call, tool, input, facts, risk }: Job, verdict: Verdict): ApprovalRequest {
  const identity = [tool.name, tool.source, tool.input];
  const hash = hashOf([identity, input, facts as unknown as Json]);
  // A copy: what is approved stays what runs, whatever the approver does with what it was shown.
  const shown = copyJson(input, "INVALID_INPUT");
  if (!isObject(shown)) throw new TypeError("an input is an object");
  return { callId: call.id, tool: tool.name, risk, input: shown, facts, reason: verdict.reason, hash };
}

function hashOf(parts: Json): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(JSON.stringify(sorted(parts)))
    .digest("hex");
}

/** The same value in the one order of keys, so that equal inputs have equal hashes. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key] ?? null)]);
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
