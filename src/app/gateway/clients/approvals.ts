import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { firstAnswer } from "../../host/first-answer.ts";

/** Asks whoever sits at a client. It should settle when the signal is aborted. */
export type AskClient = Approver["ask"];

/** Who is asked about calls that come from clients: the client that made the call, and whoever looks into the queue. */
export interface Approvals {
  /** The engine's approver. */
  readonly approver: Approver;
  /** Until it is called back, what this call and those it makes need to be asked is asked there. */
  during(call: { readonly id: string; readonly session: string }, ask: AskClient): () => void;
}

export interface ApprovalsOptions {
  /** Left out: there is no queue that anybody could look into. */
  readonly queue?: Approver;
  /** Hears that a request waits in the queue and nowhere else. */
  readonly onQueued?: (request: ApprovalRequest) => void;
}

/** Finds for each request who may answer it; the first answer is the one. */
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
        const asked = [
          ...(client === undefined ? [] : [{ ask: client }]),
          ...(queue === undefined ? [] : [queue]),
        ];
        return asked.length === 0 ? Promise.resolve(NOBODY) : firstAnswer(asked).ask(request, signal);
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

const NOBODY: Approval = {
  approved: false,
  reason: "this client cannot ask you and nothing is kept that another program could answer",
  hint: "keep a store, so that toolwright approve can answer, or start the gateway with another --mode",
};

/** Calls that a call makes have its id and a number behind a dot. */
function rootOf(callId: string): string {
  const dot = callId.indexOf(".");
  return dot === -1 ? callId : callId.slice(0, dot);
}
