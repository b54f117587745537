import type { Approval, ApprovalRequest, Question } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { toFault } from "../../util/json/fault.ts";
import type { Line } from "../state/line.ts";
import type { RunOptions } from "../types/options.ts";

type Refusal = Exclude<Approval, { readonly approved: true }>;

/** Asks, and settles once: with the first answer, with a cancel, or with no when nobody has answered in time. */
export async function askApprover(
  line: Line,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Approval> {
  const { callId, hash, session } = request;
  const about = session === undefined ? { callId } : { callId, session };
  line.send({ type: "approval.asked", ...about, hash });
  const approval = await inTime(line, request, signal);
  line.send({ type: "approval.answered", ...about, approved: approval.approved });
  return approval;
}

/** Asks on behalf of a tool that is already running. */
export async function askInRun(
  line: Line,
  call: ToolCall,
  question: Question,
  { signal, session }: Pick<RunOptions, "session"> & { readonly signal: AbortSignal },
): Promise<Approval> {
  if (line.approver === undefined) return nobodyToAsk;
  const input = { question: question.text, ...question.details };
  const request: ApprovalRequest = {
    callId: call.id,
    tool: call.name,
    risk: "high",
    input,
    facts: [],
    reason: question.text,
    hash: hashOf(["question", call.name, call.id, input]),
    ...(session === undefined ? {} : { session }),
    ungrantable: "a running tool asks",
    question,
  };
  return askApprover(line, request, signal);
}

export const nobodyToAsk: Refusal = {
  approved: false,
  reason: "there is nobody to ask",
  hint: "give createEngine an approver, or a mode that allows it",
};

const noLongerWanted: Refusal = { approved: false, reason: "the call was cancelled" };

function inTime(line: Line, request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
  const { approver, approvalTimeoutMs } = line;
  if (approver === undefined) return Promise.resolve(nobodyToAsk);
  if (signal.aborted) return Promise.resolve(noLongerWanted);
  const late = new AbortController();
  return new Promise((settle) => {
    const giveUp = (): void => {
      late.abort();
      settle(unanswered(approvalTimeoutMs));
    };
    // A timer that is given more fires at once.
    const timer = setTimeout(giveUp, Math.min(approvalTimeoutMs, LONGEST_TIMER_MS));
    const stop = (approval: Approval): void => {
      clearTimeout(timer);
      settle(approval);
    };
    // An approver that fails has not said yes.
    const refuse = (error: unknown): void =>
      stop({ approved: false, reason: `the approver failed: ${toFault(error).message}` });
    signal.addEventListener("abort", () => stop(noLongerWanted), { once: true });
    Promise.resolve(request)
      .then((shown) =>
        signal.aborted ? noLongerWanted : approver.ask(shown, AbortSignal.any([signal, late.signal])),
      )
      .then(stop, refuse);
  });
}

function unanswered(timeoutMs: number): Refusal {
  return {
    approved: false,
    reason: `nobody answered within ${Number((timeoutMs / 1000).toFixed(3))} s`,
    hint: "ask again when someone is there, or allow such calls by a rule",
  };
}
