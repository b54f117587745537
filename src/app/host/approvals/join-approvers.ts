import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { defined } from "../../../util/json/defined.ts";
import type { QueuedApprover } from "../../../store/database/approval-queue.ts";
import { createWaiting, stillWaiting } from "./waiting-requests.ts";

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
  const waiting = queue && createWaiting(queue);
  return {
    async ask(request, signal) {
      const requestInFolder = { ...request, ...defined({ folder }) };
      const settled = new AbortController();
      const shared = AbortSignal.any([signal, settled.signal]);
      const late = Promise.withResolvers<Approval>();
      let left = approvers.length;
      const report = (): void => {
        const id = ids.get(request);
        if (left > 0 || id === undefined || settled.signal.aborted) return;
        for (const listener of listeners) listener(requestInFolder, id);
      };
      const queued = waiting?.enter(requestInFolder, signal);
      const passOn = (patienceMs: number | undefined): void => {
        if (patienceMs === undefined || queued === undefined) return;
        const timer = setTimeout(() => {
          queued.park();
          late.resolve(stillWaiting(ids.get(request)));
        }, patienceMs);
        settled.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
      };
      const answers = approvers.map((approver) =>
        approver.ask(requestInFolder, shared).catch((error: unknown) => {
          left -= 1;
          report();
          if (error instanceof PassedOn) passOn(error.patienceMs);
          throw error;
        }),
      );
      queued?.whenStored((id) => {
        ids.set(request, id);
        report();
      });
      try {
        return await firstOf(queued === undefined ? answers : [...answers, queued.answer, late.promise]);
      } finally {
        settled.abort();
        queued?.leave();
      }
    },
    onQueued: (listener) => void listeners.push(listener),
    hint(request) {
      const id = ids.get(request);
      return (
        id &&
        `the user can answer such a call while it waits, in the console or with toolwright approve ${id}`
      );
    },
  };
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
