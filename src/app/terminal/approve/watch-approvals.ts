import { setTimeout as wait } from "node:timers/promises";
import type { ApprovalQueue, PendingApproval } from "../../../store/database/approval-queue.ts";
import { visible } from "../../../util/text/visible.ts";
import { sendNotification, type NotificationOptions } from "../print/desktop-notification.ts";

/** How often the store is read: a person looks up from something else. */
const POLL_MS = 500;
const MAX_CHARACTERS = 120;

export interface WatchOptions extends NotificationOptions {
  /** Prints one request that is new. */
  readonly show: (pending: PendingApproval) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Shows each request as it begins to wait and notifies the person, until the signal. Answers nothing. A notification that fails is not
 * reported: the request is shown.
 */
export async function watchApprovals(queue: ApprovalQueue, options: WatchOptions): Promise<void> {
  const { show, signal } = options;
  let known = new Set<string>();
  while (!signal.aborted) {
    const pending = await queue.pending();
    for (const each of pending) {
      if (known.has(each.id)) continue;
      await show(each);
      announce(each, options);
    }
    known = new Set(pending.map(({ id }) => id));
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function announce({ request, id }: PendingApproval, options: WatchOptions): void {
  const text = visible(`${request.tool} needs your approval: toolwright approve ${id}`);
  // Who waits here looks elsewhere: the default is more than a bell.
  const notify = options.notify === "bell" ? "desktop" : options.notify;
  sendNotification(text.slice(0, MAX_CHARACTERS).toWellFormed(), { ...options, notify }, () => undefined);
}
