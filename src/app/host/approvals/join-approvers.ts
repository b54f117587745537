import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { defined } from "../../../util/json/defined.ts";
import type { QueuedApprover } from "../../../store/database/approval-queue.ts";
import type { Parking } from "../../../store/database/parked-requests.ts";

/** Thrown by an approver that leaves a request to the others; without others, `answer` counts. */
export class PassedOn extends Error {
  readonly answer: Approval;
  /** How long the caller waits for the others, if it hears nothing meanwhile. */
  readonly patienceMs: number | undefined;

  constructor(answer: Approval & { readonly approved: false }, patienceMs?: number) {
    super(answer.reason);
    this.answer = answer;
    this.patienceMs = patienceMs;
  }
}

/** Called with the id that `toolwright approve` takes. */
export type OnQueued = (request: ApprovalRequest, id: string) => void;

export interface JoinedApprover extends Approver {
  /** Calls the listener once for each request that only the queue is left to answer. */
  onQueued(listener: OnQueued): void;
  /** Sets who makes a call, so that its equal call finds a request that stayed in the queue, also in another process; default: its session. */
  identify(callerOf: (request: ApprovalRequest) => string | undefined): void;
}

/**
 * Returns an approver that asks all of them at once, and the queue, where other programs answer. The first answer counts and aborts the others; one that fails, or passes the
 * request on, leaves the answer to them. Paths are shown as relative to the folder.
 */
export function joinApprovers(
  approvers: readonly Approver[],
  queue?: QueuedApprover,
  folder?: string,
): JoinedApprover {
  const ids = new WeakMap<ApprovalRequest, string>();
  const listeners: OnQueued[] = [];
  let callerOf = ({ session }: ApprovalRequest): string | undefined => session;
  return {
    async ask(request, signal) {
      const requestInFolder = { ...request, ...defined({ folder }) };
      const settled = new AbortController();
      const shared = AbortSignal.any([signal, settled.signal]);
      const late = new AbortController();
      let left = approvers.length;
      const report = (): void => {
        const id = ids.get(request);
        if (left > 0 || id === undefined || settled.signal.aborted) return;
        for (const listener of listeners) listener(requestInFolder, id);
      };
      const queued = queue?.ask(
        requestInFolder,
        shared,
        (id) => {
          ids.set(request, id);
          report();
        },
        parkingOf(callerOf(request), late.signal),
      );
      const passOn = (patienceMs: number | undefined): void => {
        if (patienceMs === undefined || queued === undefined) return;
        const timer = setTimeout(() => late.abort(), patienceMs);
        settled.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
      };
      const answers = approvers.map((approver) =>
        askOne(approver, requestInFolder, shared, queue !== undefined).catch((error: unknown) => {
          left -= 1;
          report();
          if (error instanceof PassedOn) passOn(error.patienceMs);
          throw error;
        }),
      );
      try {
        return await firstOf(queued === undefined ? answers : [...answers, queued]);
      } finally {
        settled.abort();
      }
    },
    onQueued: (listener) => void listeners.push(listener),
    identify: (one) => void (callerOf = one),
    hint(request) {
      const id = ids.get(request);
      return (
        id &&
        `the user can answer such a call while it waits, in the console or with toolwright approve ${id}`
      );
    },
  };
}

/** Asks one approver. Its approval does not count for a call whose rules name its approvers: the queue knows who answers. */
async function askOne(
  approver: Approver,
  request: ApprovalRequest,
  signal: AbortSignal,
  hasQueue: boolean,
): Promise<Approval> {
  const answer = await approver.ask(request, signal);
  const isUnknown = answer.approved && answer.approvers === undefined;
  if (hasQueue && isUnknown && request.approvers !== undefined) throw new PassedOn(NOT_KNOWN);
  return answer;
}

const NOT_KNOWN = {
  approved: false,
  reason: "the call needs the approval of people whom its rules name",
} as const;

function parkingOf(caller: string | undefined, signal: AbortSignal): Parking | undefined {
  return caller === undefined ? undefined : { caller, signal };
}

/** Ignores failures as long as one answers; if all fail, what the first passed on counts, or its failure. */
async function firstOf(asked: readonly Promise<Approval>[]): Promise<Approval> {
  try {
    return await Promise.any(asked);
  } catch (error) {
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    if (first instanceof PassedOn) return first.answer;
    throw first;
  }
}
