import type { CallRecord, Journal } from "../../../core/store/journal.ts";
import type { ApprovalQueue, PendingApproval } from "../../../store/database/approval-queue.ts";
import { watchCalls } from "../../terminal/trace/watch-calls.ts";
import { toCallRow } from "../calls/call-row.ts";
import { toApproval } from "../calls/to-approval.ts";
import type { EventHub } from "../events/event-hub.ts";

export interface WatchOptions {
  readonly hub: EventHub;
  readonly queue: ApprovalQueue;
  readonly journal: Journal;
  /** Returns true for a call of this process, whose events are sent anyway. */
  readonly isOwn: (call: CallRecord) => boolean;
  /** Returns true if events of the calls of other processes arrive by themselves. */
  readonly isFollowed: () => boolean;
}

const POLL_MS = 250;

/** Emits an event for each approval and each call of other processes that begins or ends, while a client listens. */
export function watchStore(options: WatchOptions): { close(): Promise<void> } {
  const { hub, queue, journal, isOwn, isFollowed } = options;
  const approvals = createApprovalWatch(hub, queue);
  const changedCalls = watchCalls(journal, {}, (call) => !isOwn(call));
  const calls = async (): Promise<void> => {
    for (const record of await changedCalls())
      hub.emit({ type: "call.changed", at: Date.now(), call: toCallRow(record) });
  };
  let isClosed = false;
  let working: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!hub.isWatched()) return;
    // A store that cannot be read now is read again later; requests report it.
    await Promise.allSettled([approvals(), isFollowed() || calls()]);
  };
  const loop = (): void => {
    if (!isClosed) working = look().finally(() => void (timer = setTimeout(loop, POLL_MS).unref()));
  };
  let timer = setTimeout(loop, 0);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await working;
      clearTimeout(timer);
    },
  };
}

function createApprovalWatch(hub: EventHub, queue: ApprovalQueue): () => Promise<void> {
  let known = new Map<string, PendingApproval>();
  return async () => {
    const now = new Map((await queue.pending()).map((one) => [one.id, one]));
    const at = Date.now();
    for (const [id, one] of now)
      if (!known.has(id)) hub.emit({ type: "approval.pending", at, approval: toApproval(one) });
    for (const id of known.keys()) if (!now.has(id)) hub.emit({ type: "approval.closed", at, id });
    known = now;
  };
}
