import type { Approvals, ApprovedCall, AskClient, Waiting } from "../types/public-types.ts";
import type { ApprovalRequest, Approver } from "../../../core/approval.ts";
import { joinApprovers, PassedOn } from "../../host/approvals/join-approvers.ts";
import { patienceOf } from "./client-patience.ts";

export interface ClientApprovals extends Approvals {
  /** Returns whose equal calls find a request that stayed in the queue. */
  readonly callerOf: (request: ApprovalRequest) => string | undefined;
}

/**
 * Creates an approver that asks the client of a call. One that has none, or whose form is dismissed, leaves the request to the other approvers; they have
 * as long for it as the client waits, if it has neither forms nor progress.
 */
export function createClientApprovals(patience: (client?: string) => number = patienceOf): ClientApprovals {
  const clients = createClients();
  return {
    callerOf: clients.callerOf,
    approver: {
      async ask(request, signal) {
        const stop = clients.waitingOf(request)?.();
        // The call goes on when any approver has answered.
        if (stop !== undefined) signal.addEventListener("abort", stop, { once: true });
        // The answer of a form could be that of the model: it is not that of a known person.
        const client = request.approvers === undefined ? clients.askOf(request) : undefined;
        if (client === undefined) throw new PassedOn(NO_APPROVER, clients.patienceFor(request, patience));
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
  const calls = new Map<string, ApprovedCall>();
  return {
    callerOf: ({ callId, session }: ApprovalRequest): string | undefined => {
      const call = calls.get(rootOf(callId));
      return call?.isAlone === true ? `the client ${call.client ?? ""}` : session;
    },
    /** Returns how long a client waits that has neither forms nor progress; undefined for any other. */
    patienceFor({ callId }: ApprovalRequest, patience: (client?: string) => number): number | undefined {
      const root = rootOf(callId);
      return silent.has(root) ? patience(calls.get(root)?.client) : undefined;
    },
    askOf: ({ callId, session }: ApprovalRequest): AskClient | undefined =>
      byCall.get(rootOf(callId)) ??
      (session === undefined ? undefined : [...(bySession.get(session) ?? [])].at(-1)),
    waitingOf: ({ callId }: ApprovalRequest): Waiting | undefined => waiting.get(rootOf(callId)),
    add(call: ApprovedCall, ask: AskClient | undefined, onWaiting?: Waiting): () => void {
      const { id, session } = call;
      calls.set(id, call);
      if (onWaiting !== undefined) waiting.set(id, onWaiting);
      if (ask === undefined && onWaiting === undefined) silent.add(id);
      const open = bySession.get(session) ?? new Set();
      if (ask !== undefined) {
        byCall.set(id, ask);
        bySession.set(session, open.add(ask));
      }
      return () => {
        calls.delete(id);
        silent.delete(id);
        waiting.delete(id);
        byCall.delete(id);
        if (ask === undefined) return;
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
