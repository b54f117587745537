import type { Journal } from "../../../core/store/journal.ts";
import type { ApprovalQueue, PendingApproval } from "../../../store/database/approval-queue.ts";
import { toCallRow } from "../calls/call-row.ts";
import { toApproval } from "../calls/to-approval.ts";
import type { EventHub } from "../events/event-hub.ts";

export interface WatchOptions {
  readonly hub: EventHub;
  readonly queue: ApprovalQueue;
  readonly journal: Journal;
  /** Returns true for a call of this process, whose events are sent anyway. */
  readonly isOwn: (callId: string) => boolean;
  /** Default: 250 ms. */
  readonly pollMs?: number;
}

/** Calls of other processes that are read at a time. */
const MOST = 200;

/** Emits an event for each approval and each call of other processes that begins or ends, while a client listens. */
export function watchStore({ hub, queue, journal, isOwn, pollMs = 250 }: WatchOptions): {
  close(): Promise<void>;
} {
  const approvals = createApprovalWatch(hub, queue);
  const calls = createCallWatch(hub, journal, isOwn);
  let isClosed = false;
  let working: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!hub.isWatched()) return;
    // A store that cannot be read now is read again later; requests report it.
    await Promise.allSettled([approvals(), calls()]);
  };
  const loop = (): void => {
    if (!isClosed) working = look().finally(() => void (timer = setTimeout(loop, pollMs).unref()));
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

function createCallWatch(hub: EventHub, journal: Journal, isOwn: (callId: string) => boolean) {
  let [newest, open] = [-1, new Set<string>()];
  return async (): Promise<void> => {
    const running = await journal.list({ state: "open", limit: MOST });
    const now = new Set(running.map(({ callId }) => callId).filter((id) => !isOwn(id)));
    const ended = [...open].filter((id) => !now.has(id));
    const begun = await journal.list(newest === -1 ? { limit: 1 } : { after: newest, limit: MOST });
    const changed = await Promise.all(ended.map((callId) => journal.list({ callId, limit: 1 })));
    const isNew = newest !== -1;
    const inDatabase = begun.filter(({ position }) => position !== Number.MAX_SAFE_INTEGER);
    newest = Math.max(newest, 0, ...inDatabase.map(({ position }) => position));
    const rows = new Map(
      [...running.filter(({ callId }) => !open.has(callId)), ...(isNew ? begun : []), ...changed.flat()]
        .filter(({ callId }) => !isOwn(callId))
        .map((record) => [record.callId, record]),
    );
    open = now;
    for (const record of rows.values())
      hub.emit({ type: "call.changed", at: Date.now(), call: toCallRow(record) });
  };
}
