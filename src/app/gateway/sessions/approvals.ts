import type { Approvals, ApprovedCall, AskClient, Waiting } from "../types/public-types.ts";
import type { ApprovalRequest, Approver } from "../../../core/approval.ts";
import { joinApprovers, PassedOn } from "../../host/approvals/join-approvers.ts";

/** Clients give up a call after 60 s by default, unless they hear of it. */
const PATIENCE_MS = 45_000;

/**
 * Creates an approver that asks the client of a call. One that has none, or whose form is dismissed, leaves the request to the other approvers; they have
 * `patienceMs` for it if the client has neither forms nor progress.
 */
export function createClientApprovals(patienceMs = PATIENCE_MS): Approvals {
  const clients = createClients();
  return {
    approver: {
      async ask(request, signal) {
        const stop = clients.waitingOf(request)?.();
        // The call goes on when any approver has answered.
        if (stop !== undefined) signal.addEventListener("abort", stop, { once: true });
        const client = clients.askOf(request);
        if (client === undefined)
          throw new PassedOn(NO_APPROVER, clients.hearsNothing(request) ? patienceMs : undefined);
        const answer = await client(request, signal);
        // A dismissed form of a server is its answer.
        if (answer.approved || answer.dismissed !== true || request.question !== undefined) return answer;
        throw new PassedOn(answer);
      },
    },
    during: (call, ask, waiting) => clients.add(call, ask, waiting),
  };
}

/** Creates approvals for an engine of one's own: by the clients, and by `otherwise` too. */
export function createApprovals(otherwise?: Approver): Approvals {
  const clients = createClientApprovals();
  return { ...clients, approver: joinApprovers([clients.approver], otherwise) };
}

/** The clients of running calls. */
function createClients() {
  const byCall = new Map<string, AskClient>();
  const bySession = new Map<string, Set<AskClient>>();
  const waiting = new Map<string, Waiting>();
  const silent = new Set<string>();
  return {
    /** Returns true for a call whose client has neither forms nor progress. */
    hearsNothing: ({ callId }: ApprovalRequest): boolean => silent.has(rootOf(callId)),
    askOf: ({ callId, session }: ApprovalRequest): AskClient | undefined =>
      byCall.get(rootOf(callId)) ??
      (session === undefined ? undefined : [...(bySession.get(session) ?? [])].at(-1)),
    waitingOf: ({ callId }: ApprovalRequest): Waiting | undefined => waiting.get(rootOf(callId)),
    add({ id, session }: ApprovedCall, ask: AskClient | undefined, onWaiting?: Waiting): () => void {
      if (onWaiting !== undefined) waiting.set(id, onWaiting);
      if (ask === undefined && onWaiting === undefined) {
        silent.add(id);
        return () => silent.delete(id);
      }
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

const NO_APPROVER = {
  approved: false,
  reason: "this client cannot ask for approval, and without a store no other program can",
  hint: "use a store, so that toolwright approve can answer, or start the gateway with another --mode",
} as const;

/** A nested call has its parent's id, a dot and a number. */
function rootOf(callId: string): string {
  const dot = callId.indexOf(".");
  return dot === -1 ? callId : callId.slice(0, dot);
}
