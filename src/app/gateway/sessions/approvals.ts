import type { Approvals, ApprovedCall, AskClient, Waiting } from "../types/public-types.ts";
import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { ToolError } from "../../../core/errors.ts";
import type { QueuedApprover } from "../../../store/database/approval-queue.ts";
import { firstAnswer } from "../../host/approvals/first-answer.ts";

export interface ApprovalsOptions {
  /** Default: no queue. */
  readonly queue?: QueuedApprover;
  /** Called for a request that waits in the queue only, with the id that `toolwright approve` takes. */
  readonly onQueued?: (request: ApprovalRequest, id: string | undefined) => void;
}

/** Asks every approver that can answer a request; the first answer counts. A client whose form is dismissed leaves the answer to the queue. */
export function createApprovals({ queue, onQueued }: ApprovalsOptions): Approvals {
  const clients = createClients();
  const ids = new WeakMap<ApprovalRequest, string>();
  const askBoth: Approver["ask"] = async (request, signal) => {
    const client = clients.askOf(request);
    if (queue === undefined) return client === undefined ? NO_APPROVER : client(request, signal);
    let isReported = false;
    const report = (): void => {
      if (!isReported) onQueued?.(request, ids.get(request));
      isReported = true;
    };
    let isAlone = client === undefined;
    const inQueue: Approver["ask"] = (one, stop) =>
      queue.ask(one, stop, (id) => {
        ids.set(request, id);
        if (isAlone) report();
      });
    const atClient: AskClient | undefined =
      client &&
      (async (one, stop) => {
        const answer = await client(one, stop);
        // A dismissed form of a server is its answer.
        if (answer.approved || answer.dismissed !== true || one.question !== undefined) return answer;
        isAlone = true;
        if (ids.has(request)) report();
        throw new ToolError("DENIED", answer.reason);
      });
    const asked = [atClient, inQueue].flatMap((ask) => (ask === undefined ? [] : [{ ask }]));
    const answer = await firstAnswer(asked).ask(request, signal);
    if (isAlone) report();
    return answer;
  };
  return {
    approver: {
      async ask(request, signal) {
        const stop = clients.waitingOf(request)?.();
        return askBoth(request, signal).finally(stop);
      },
      hint(request) {
        const id = ids.get(request);
        return id && `the user can answer such a call while it waits: toolwright approve ${id}`;
      },
    },
    during: (call, ask, waiting) => clients.add(call, ask, waiting),
  };
}

/** The clients of running calls. */
function createClients() {
  const byCall = new Map<string, AskClient>();
  const bySession = new Map<string, Set<AskClient>>();
  const waiting = new Map<string, Waiting>();
  return {
    askOf: ({ callId, session }: ApprovalRequest): AskClient | undefined =>
      byCall.get(rootOf(callId)) ??
      (session === undefined ? undefined : [...(bySession.get(session) ?? [])].at(-1)),
    waitingOf: ({ callId }: ApprovalRequest): Waiting | undefined => waiting.get(rootOf(callId)),
    add({ id, session }: ApprovedCall, ask: AskClient | undefined, onWaiting?: Waiting): () => void {
      if (onWaiting !== undefined) waiting.set(id, onWaiting);
      if (ask === undefined) return () => waiting.delete(id);
      byCall.set(id, ask);
      const open = bySession.get(session) ?? new Set();
      bySession.set(session, open.add(ask));
      return () => {
        waiting.delete(id);
        byCall.delete(id);
        open.delete(ask);
        if (open.size === 0) bySession.delete(session);
      };
    },
  };
}

const NO_APPROVER: Approval = {
  approved: false,
  reason: "this client cannot ask for approval, and without a store no other program can",
  hint: "use a store, so that toolwright approve can answer, or start the gateway with another --mode",
};

/** A nested call has its parent's id, a dot and a number. */
function rootOf(callId: string): string {
  const dot = callId.indexOf(".");
  return dot === -1 ? callId : callId.slice(0, dot);
}
