import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { firstAnswer } from "../../host/first-answer.ts";
import type { AskClient } from "../types/gateway-types.ts";

/** Approvals of clients' calls: by the user of the client that made the call, or through the queue of `toolwright approve`. */
export interface Approvals {
  /** The engine's approver. */
  readonly approver: Approver;
  /** Sends requests of this call, and of the calls it makes, to `ask`, until the returned function is called. */
  during(call: { readonly id: string; readonly session: string }, ask: AskClient): () => void;
}

export interface ApprovalsOptions {
  /** Default: no queue. */
  readonly queue?: Approver;
  /** Called for a request that waits in the queue only. */
  readonly onQueued?: (request: ApprovalRequest) => void;
}

/** Asks every approver that can answer a request; the first answer counts. */
export function createApprovals({ queue, onQueued }: ApprovalsOptions): Approvals {
  const byCall = new Map<string, AskClient>();
  const bySession = new Map<string, Set<AskClient>>();
  const clientOf = ({ callId, session }: ApprovalRequest): AskClient | undefined =>
    byCall.get(rootOf(callId)) ??
    (session === undefined ? undefined : [...(bySession.get(session) ?? [])].at(-1));
  return {
    approver: {
      ask(request, signal) {
        const client = clientOf(request);
        if (client === undefined && queue !== undefined) onQueued?.(request);
        const asked = [client && { ask: client }, queue].filter((one) => one !== undefined);
        return asked.length === 0 ? Promise.resolve(NO_APPROVER) : firstAnswer(asked).ask(request, signal);
      },
    },
    during({ id, session }, ask) {
      byCall.set(id, ask);
      const open = bySession.get(session) ?? new Set();
      bySession.set(session, open.add(ask));
      return () => {
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
