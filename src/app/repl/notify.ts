import { basename } from "node:path";
import type { Notify } from "../config/settings/notify-setting.ts";
import { isQuiet, withNotice, type ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";
import { plainLine } from "./text/plain.ts";
import { osc, sendNotification } from "../terminal/print/desktop-notification.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** A task that took less ends while the person still looks. */
const LONG_MS = 10_000;
const MAX_CHARACTERS = 120;
const PUSH_TITLE = "\u{1b}[22;2t";
const POP_TITLE = "\u{1b}[23;2t";

export interface NotifyOptions {
  readonly notify: Notify;
  /** The folder that the title names. */
  readonly folder: string;
  /** The environment of the command; its TERM and VTE_VERSION choose the sequence. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes to the terminal. */
  readonly write: (text: string) => void;
  /** As `performance.now()` returns it. */
  readonly now: () => number;
}

/**
 * Notifies the person when the REPL begins to wait for an answer and when a long task ends, and shows the state in the title of the window,
 * until the returned function is called. With `off` it writes nothing.
 */
export function notifyOf(store: Store, options: NotifyOptions): () => void {
  const { notify, folder, write, now } = options;
  if (notify === "off") return () => undefined;
  const place = shown(basename(folder));
  let title = "";
  let before = store.get();
  let workingSince: number | undefined;
  const changed = (): void => {
    const state = store.get();
    const next = titleOf(state, place);
    if (next !== title) write(osc("2", next));
    title = next;
    if (isWorking(state)) workingSince ??= now();
    const [pending] = state.approvals;
    if (pending !== undefined && before.approvals.length === 0)
      send(store, `${shown(pending.request.tool)} needs your approval (${place})`, options);
    else if (!isWorking(state) && workingSince !== undefined) {
      const seconds = Math.round((now() - workingSince) / 1000);
      const end = state.agentState === "failed" ? "failed" : "finished";
      if (seconds * 1000 >= LONG_MS) send(store, `${end} after ${seconds} s (${place})`, options);
    }
    if (!isWorking(state)) workingSince = undefined;
    before = state;
  };
  write(PUSH_TITLE);
  const stop = store.subscribe(changed);
  changed();
  return () => {
    stop();
    write(POP_TITLE);
  };
}

function isWorking({ agentState }: ReplState): boolean {
  return !isQuiet(agentState) && agentState !== "loading" && agentState !== "closing";
}

function titleOf(state: ReplState, place: string): string {
  const doing = state.approvals.length > 0 ? "waiting for you" : isWorking(state) ? "working" : "ready";
  return `toolwright: ${doing} (${place})`;
}

/** Notifies the person. A program that fails is shown once, as a notice. */
function send(store: Store, text: string, options: NotifyOptions): void {
  sendNotification(text, options, (error) => {
    const message = `the command of the setting notify failed: ${shown(errorMessage(error))}`;
    const isShown = store.get().blocks.some((block) => block.kind === "notice" && block.text === message);
    if (!isShown) store.change((state) => withNotice(state, "warning", message));
  });
}

/** Returns a text without characters that end or change a sequence. */
function shown(text: string): string {
  return plainLine(text).slice(0, MAX_CHARACTERS).toWellFormed();
}
