import { execFile } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { ApprovalQueue, PendingApproval } from "../../../store/database/approval-queue.ts";
import type { Notify } from "../../config/notify-setting.ts";
import { visible } from "../../../util/text/visible.ts";
import { BELL, desktopSequence } from "../print/desktop-notification.ts";

/** How often the store is read: a person looks up from something else. */
const POLL_MS = 500;
const PROGRAM_MS = 10_000;
const MAX_CHARACTERS = 120;

export interface WatchOptions {
  /** Prints one request that is new. */
  readonly show: (pending: PendingApproval) => Promise<void>;
  /** Writes to the terminal; undefined if there is none. */
  readonly write: ((text: string) => void) | undefined;
  readonly notify: Notify;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Shows each request as it begins to wait, rings the bell of the terminal and notifies the desktop, until the signal. Answers nothing. A
 * notification that fails is not reported: the request is shown.
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

function announce({ request, id }: PendingApproval, { write, notify, variables }: WatchOptions): void {
  if (notify === "off") return;
  const text = visible(`${request.tool} needs your approval: toolwright approve ${id}`).slice(
    0,
    MAX_CHARACTERS,
  );
  write?.(BELL);
  if (typeof notify !== "string") return start(notify, { ...variables, TOOLWRIGHT_NOTIFICATION: text });
  if (notify === "osc") write?.(desktopSequence(text, variables));
  const hasDesktop = Boolean(variables["DISPLAY"] || variables["WAYLAND_DISPLAY"]);
  if (notify === "bell" && hasDesktop)
    start(["notify-send", "--app-name=Toolwright", "Toolwright", text], variables);
}

function start(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): void {
  execFile(program, args, { env, timeout: PROGRAM_MS }, () => undefined);
}
