import { originOf } from "../../core/events.ts";
import type { Approval, ApprovalRequest, Question } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { defined } from "../../util/json/defined.ts";
import { toFault } from "../../util/json/fault.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { CallOptions } from "../types/options.ts";

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
  { signal, session, parentId, subject }: CallOptions & { readonly signal: AbortSignal },
): Promise<Approval> {
  if (engine.approver === undefined) return NO_APPROVER;
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

function answerInTime(engine: EngineParts, request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
  const { approver, approvalTimeoutMs } = engine;
  if (approver === undefined) return Promise.resolve(NO_APPROVER);
  if (signal.aborted) return Promise.resolve(CANCELLED);
  const timeout = new AbortController();
  return new Promise((resolve) => {
    const giveUp = (): void => {
      timeout.abort();
      resolve(unanswered(approvalTimeoutMs, approver.hint?.(request)));
    };
    // A longer timer would fire at once.
    const timer = setTimeout(giveUp, Math.min(approvalTimeoutMs, LONGEST_TIMER_MS));
    const settle = (approval: Approval): void => {
      clearTimeout(timer);
      resolve(approval);
    };
    const fail = (error: unknown): void =>
      settle({ approved: false, reason: `the approver failed: ${toFault(error).message}` });
    signal.addEventListener("abort", () => settle(CANCELLED), { once: true });
    Promise.resolve(request)
      .then((shown) =>
        signal.aborted ? CANCELLED : approver.ask(shown, AbortSignal.any([signal, timeout.signal])),
      )
      .then(settle, fail);
  });
}

function unanswered(
  timeoutMs: number,
  hint = "ask again when an approver is available, or allow such calls with a rule",
): Denial {
  const reason = `no approver answered within ${Number((timeoutMs / 1000).toFixed(3))} s`;
  return { approved: false, reason, hint };
}
