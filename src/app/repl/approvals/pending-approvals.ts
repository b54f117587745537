import { refused } from "../../host/approvals/answers.ts";
import { OWN_QUESTION } from "../../host/approvals/question.ts";
import { approvalQuestion, choicesOf } from "../../host/approvals/approval-question.ts";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { withNotice, type ReplState } from "../state/repl-state.ts";
import type { Store } from "../state/store.ts";
import { createLevelOffer } from "./level-offer.ts";
import { summaryOf } from "../state/summary.ts";
import { firstDialog } from "../state/dialog.ts";

/** A question takes the keys after this time without typing: text typed ahead is not an answer. */
const QUIET_MS = 400;

/** The questions that wait for the person. */
export type PendingApprovals = ReturnType<typeof createPendingApprovals>;

/** Shows approval requests on the screen, one at a time: they are in the state until they are answered or cancelled. */
export function createPendingApprovals(store: Store) {
  const waiting = new Map<number, (approval: Approval) => void>();
  const levelOffer = createLevelOffer();
  let lastId = 0;
  let arming: NodeJS.Timeout | undefined;
  /** Called for each key of the prompt: the question waits until typing stops. */
  const arm = (): void => {
    clearTimeout(arming);
    if (store.get().approvals.length === 0) return;
    arming = setTimeout(() => store.change((state) => ({ ...state, isArmed: true })), QUIET_MS);
  };
  /** Answers a request; does nothing if it is no longer pending. */
  const settle = (id: number, approval: Approval): void => {
    const resolve = waiting.get(id);
    if (resolve === undefined) return;
    waiting.delete(id);
    store.change((state) => withoutApproval(state, id));
    resolve(approval);
    arm();
  };
  return {
    ask: (request: ApprovalRequest, signal: AbortSignal) =>
      new Promise<Approval>((resolve) => {
        if (signal.aborted) return resolve(refused("the call was cancelled"));
        const id = (lastId += 1);
        waiting.set(id, resolve);
        store.change((state) => withApproval(state, id, request));
        signal.addEventListener("abort", () => settle(id, refused("the call was cancelled")), { once: true });
        if (waiting.size === 1) arm();
      }),
    answer: settle,
    /** Returns true once, when the same command has been asked about so often that the levels are worth a question. */
    isLevelDue: (request: ApprovalRequest): boolean => levelOffer.isDue(request),
    typed: arm,
    close(): void {
      clearTimeout(arming);
      for (const id of waiting.keys()) settle(id, refused("the call was cancelled"));
    },
  };
}

function withApproval(state: ReplState, id: number, request: ApprovalRequest): ReplState {
  const question = approvalQuestion(request);
  const pending = { id, request, question, dialog: firstDialog(question) };
  return { ...state, approvals: [...state.approvals, pending] };
}

/** Removes a request; the next question takes the keys only after a pause. */
function withoutApproval(state: ReplState, id: number): ReplState {
  const isFirst = state.approvals[0]?.id === id;
  return {
    ...state,
    approvals: state.approvals.filter((one) => one.id !== id),
    isArmed: isFirst ? false : state.isArmed,
  };
}

/** Shows the answer as a notice; a call whose input was edited is shown with the new input. */
export function recordAnswer(state: ReplState, request: ApprovalRequest, approval: Approval): ReplState {
  const { tool, callId } = request;
  // What Toolwright itself asked has no call.
  if (tool === OWN_QUESTION && request.question !== undefined) return state;
  // The row of the call has the denial and its reason.
  if (!approval.approved) return state;
  const { scope, input, offer } = approval;
  if (scope !== "once") {
    const id = offer === undefined ? scope : String(offer + 1);
    const label = choicesOf(request).find((choice) => choice.id === id)?.label ?? `Allow ${tool}`;
    return withNotice(state, "info", `answered: ${label}`);
  }
  if (input === undefined || request.question !== undefined) return state;
  const summary = summaryOf(input);
  return {
    ...state,
    calls: state.calls.map((call) => (call.id === callId ? { ...call, summary } : call)),
  };
}
