import type { Outcome } from "../../agent/runtime/outcome.ts";
import { createOutbox } from "./outbox.ts";
import { showSession } from "./show-session.ts";
import type { ReplSession } from "./state/session.ts";
import { settleText, withNotice, type ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";

/** The current session, which may still be loading. */
export type Conversation = ReturnType<typeof createConversation>;

/** Waits for the session to open and shows it. `onRefused` is called with a message that could not be sent. */
export function createConversation(
  store: Store,
  opening: Promise<ReplSession>,
  onRefused: (text: string) => void,
) {
  const outbox = createOutbox((text) => store.change((state) => withNotice(state, "info", text)), {
    isTyped: true,
  });
  let session: ReplSession | undefined;
  let stopShowing: (() => void) | undefined;
  let waiting: ((session: ReplSession) => void)[] = [];
  let isClosed = false;
  const take = (next: ReplSession): void => {
    session = next;
    stopShowing?.();
    stopShowing = showSession(next, store);
    for (const work of waiting.splice(0)) work(next);
  };
  // The caller handles a rejection of `opening`.
  const opened = opening.then((first) => (isClosed ? first.close() : take(first))).catch(() => undefined);
  /** Calls `work` with the session, now or when it has loaded, in order. */
  const whenReady = (work: (ready: ReplSession) => void): void => {
    if (session === undefined) waiting.push(work);
    else work(session);
  };
  const sendTo = async (
    ready: ReplSession,
    text: string,
    options?: { readonly isOfCommand?: boolean },
  ): Promise<void> => {
    const { outcome, isSent } = await outbox.send(ready, text, options);
    if (!isSent) onRefused(text);
    const { agent } = ready;
    store.change((state) => {
      const settled = settleText(state);
      // Messages sent while the agent works end with the same outcome, which is shown once.
      const isLast = agent.state !== "waiting_for_model" && agent.state !== "executing_tools";
      const next = { ...settled, waiting: settled.waiting.filter((one) => one !== text) };
      return isLast ? withOutcome(next, outcome) : next;
    });
  };
  return {
    /** Undefined while it loads. */
    get session() {
      return session;
    },
    whenReady,
    /** Sends a message with the files it names, as `Outbox.send` does; it is shown as waiting until the agent reads it. */
    send(text: string, options?: { readonly isOfCommand?: boolean }): void {
      store.change((state) => ({ ...state, waiting: [...state.waiting, text] }));
      whenReady((ready) => void sendTo(ready, text, options));
    },
    note: outbox.note,
    switchTo: take,
    async close(): Promise<void> {
      isClosed = true;
      waiting = [];
      stopShowing?.();
      if (session === undefined) await opened;
      else await session.close();
    },
  };
}

/** Shows an outcome without an answer, unless it is shown already. */
function withOutcome(state: ReplState, outcome: Outcome): ReplState {
  const last = state.blocks.at(-1);
  const show = (level: "info" | "warning" | "error", text: string, hint?: string): ReplState =>
    last?.kind === "notice" && last.text === text ? state : withNotice(state, level, text, hint);
  if (outcome.kind === "answered") return state;
  if (outcome.kind === "failed") return show("error", outcome.fault.message, outcome.fault.hint);
  const { why, detail } = outcome;
  return why === "cancelled" ? show("info", "cancelled") : show("warning", `stopped (${why}): ${detail}`);
}
