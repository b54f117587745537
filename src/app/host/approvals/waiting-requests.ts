import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import type { QueuedApprover } from "../../../store/database/approval-queue.ts";

/** How long a request stays in the queue after its caller has been answered. */
const PARKED_MS = 300_000;

/** A request in the queue, and one caller that waits for its answer. */
export interface QueuedRequest {
  readonly answer: Promise<Approval>;
  /** Calls back with the id that `toolwright approve` takes, at once if it is known. */
  readonly whenStored: (onStored: (id: string) => void) => void;
  /** Leaves the request in the queue when its caller leaves: the same call finds it again, or its answer, once. */
  readonly park: () => void;
  readonly leave: () => void;
}

interface Entry {
  readonly answer: Promise<Approval>;
  readonly stored: Promise<string>;
  readonly stop: () => void;
  timer?: NodeJS.Timeout;
}

/** Creates the requests that wait in a queue. */
export function createWaiting(queue: QueuedApprover) {
  const parked = new Map<string, Entry>();
  const start = (request: ApprovalRequest): Entry => {
    const controller = new AbortController();
    const stored = Promise.withResolvers<string>();
    const answer = queue.ask(request, controller.signal, stored.resolve);
    // A parked request has no caller that its failure could be reported to.
    answer.catch(() => undefined);
    return { answer, stored: stored.promise, stop: () => controller.abort() };
  };
  return {
    enter(request: ApprovalRequest, signal: AbortSignal): QueuedRequest {
      const key = keyOf(request);
      const entry = parked.get(key) ?? start(request);
      parked.delete(key);
      clearTimeout(entry.timer);
      let isParked = false;
      signal.addEventListener("abort", () => !isParked && entry.stop(), { once: true });
      return {
        answer: entry.answer,
        whenStored: (onStored) => void entry.stored.then(onStored),
        park() {
          isParked = true;
          // Of equal calls at once the last one stays, and the others leave the queue.
          parked.get(key)?.stop();
          parked.set(key, entry);
          entry.timer = setTimeout(() => {
            if (parked.get(key) === entry) parked.delete(key);
            entry.stop();
          }, PARKED_MS).unref();
        },
        leave: () => {
          if (!isParked) entry.stop();
        },
      };
    },
  };
}

/** Equal for calls of one tool with one input, by one user in one session, of which a person is shown and offered the same. A call that a tool makes has another caller each time. */
function keyOf(request: ApprovalRequest): string {
  const { tool, hash, session, subject, parentId, reason, calls, grant, offers, ungrantable } = request;
  const comparedParts = [reason, calls, grant, offers, ungrantable];
  const isInner = parentId !== undefined;
  return JSON.stringify(
    [tool, hash, session, subject, isInner, ...comparedParts].map((value) => value ?? null),
  );
}

/** The answer to a caller that can wait no longer. */
export function stillWaiting(id: string | undefined): Approval {
  const how = id === undefined ? "in the console" : `with toolwright approve ${id}, or in the console`;
  return {
    approved: false,
    reason: "the call waits for approval",
    hint: `ask the user to approve it ${how}, then make the same call again: it was not run, and the request stays for five minutes`,
  };
}
