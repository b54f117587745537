import { originOf } from "../../core/events.ts";
import type { Approval, ApprovalRequest, Question } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import { idOfSubject } from "../../core/subject.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { defined } from "../../util/json/defined.ts";
import { toFault } from "../../util/json/fault.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { CallOptions } from "../types/options.ts";
import { approvalProblem } from "../checks/check-approval.ts";

type Denial = Exclude<Approval, { readonly approved: true }>;

/** Asks the approver, unless a decision is given, and resolves once: with the answer, or with a denial on cancellation or timeout. Never rejects. */
export async function askApprover(
  engine: EngineParts,
  request: ApprovalRequest,
  signal: AbortSignal,
  decision?: Approval,
): Promise<Approval> {
  const { callId, hash, session, parentId } = request;
  engine.emit({ ...originOf(session, parentId), type: "approval.asked", callId, hash });
  const approval = decision ?? (await answerInTime(engine, request, signal));
  const { approved } = approval;
  engine.emit({ ...originOf(session, parentId), type: "approval.answered", callId, approved });
  return approval;
}

/** Asks the approver a question of a running tool. */
export async function askFromTool(
  engine: EngineParts,
  call: ToolCall,
  question: Question,
  { signal, session, parentId, subject: user }: CallOptions & { readonly signal: AbortSignal },
): Promise<Approval> {
  if (engine.approver === undefined) return NO_APPROVER;
  const subject = idOfSubject(user);
  const input = { question: question.text, ...question.details };
  const request: ApprovalRequest = {
    callId: call.id,
    tool: call.name,
    risk: "high",
    input,
    facts: [],
    reason: question.text,
    hash: hashOf(["question", call.name, call.id, input]),
    ...defined({ session, parentId, subject }),
    ungrantable: "a running tool asks",
    question,
  };
  return askApprover(engine, request, signal);
}

export const NO_APPROVER: Denial = {
  approved: false,
  reason: "there is no approver",
  hint: "give createEngine an approver, or a mode that allows it",
};

const CANCELLED: Denial = { approved: false, reason: "the call was cancelled" };

async function answerInTime(
  { approver, approvalTimeoutMs }: EngineParts,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Approval> {
  if (approver === undefined) return NO_APPROVER;
  if (signal.aborted) return CANCELLED;
  const timeout = new AbortController();
  const giveUp = (): Approval => {
    timeout.abort();
    return unanswered(approvalTimeoutMs, approver.hint?.(request));
  };
  try {
    const pendingAnswer = approver.ask(request, AbortSignal.any([signal, timeout.signal]));
    const answer = await withTimeout(untilAborted(pendingAnswer, signal), approvalTimeoutMs, giveUp);
    const problem = approvalProblem(answer);
    if (problem === undefined) return answer;
    throw new TypeError(`it returned no decision: ${problem}`);
  } catch (error) {
    if (signal.aborted) return CANCELLED;
    return {
      approved: false,
      reason: `the approver failed: ${toFault(error).message}`,
      hint: "nothing was run",
    };
  }
}

function unanswered(
  timeoutMs: number,
  hint = "ask again when an approver is available, or allow such calls with a rule",
): Denial {
  const reason = `no approver answered within ${Number((timeoutMs / 1000).toFixed(3))} s`;
  return { approved: false, reason, hint };
}
