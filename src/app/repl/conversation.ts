import type { Outcome } from "../../agent/runtime/running-agent.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { showSession } from "./show-session.ts";
import type { ReplSession } from "./state/session.ts";
import { settleText, withBlock, type Block, type ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";

/** The current session, which may still be loading. */
export interface Conversation {
  /** Undefined while it loads. */
  readonly session: ReplSession | undefined;
  /** Calls `work` with the session, now or when it has loaded, in order. */
  whenReady(work: (session: ReplSession) => void): void;
  /** Sends a message with the files it names, as `Outbox.send` does; it is shown as waiting until the agent reads it. */
  send(text: string, isOfCommand?: boolean): void;
  /** Adds a text for the model to the next message. */
  readonly note: (text: string) => void;
  /** Replaces the session. */
  readonly switchTo: (session: ReplSession) => void;
  close(): Promise<void>;
}

/** Waits for the session to open and shows it. `onRefused` is called with a message that could not be sent. */
export function createConversation(
  store: Store<ReplState>,
  opening: Promise<ReplSession>,
  onRefused: (text: string) => void,
): Conversation {
  const outbox = createOutbox(
    (text) => store.change((state) => withBlock(state, { kind: "notice", level: "info", text })),
    true,
  );
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
  const waitForSession = async (): Promise<void> => {
    try {
      const opened = await opening;
      if (isClosed) await opened.close();
      else take(opened);
    } catch {
      // The caller handles a rejection of `opening`.
    }
  };
  const opened = waitForSession();
  const whenReady = (work: (ready: ReplSession) => void): void => {
    if (session === undefined) waiting.push(work);
    else work(session);
  };
  return {
    get session() {
      return session;
    },
    whenReady,
    send(text, isOfCommand) {
      store.change((state) => ({ ...state, waiting: [...state.waiting, text] }));
      whenReady((ready) => void sendTo({ session: ready, store, outbox, onRefused }, text, isOfCommand));
    },
    note: outbox.note,
    switchTo: take,
    async close() {
      isClosed = true;
      waiting = [];
      stopShowing?.();
      if (session === undefined) await opened;
      else await session.close();
    },
  };
}

interface SendParts {
  readonly session: ReplSession;
  readonly store: Store<ReplState>;
  readonly outbox: Outbox;
  readonly onRefused: (text: string) => void;
}

async function sendTo(
  { session, store, outbox, onRefused }: SendParts,
  text: string,
  isOfCommand?: boolean,
): Promise<void> {
  const { outcome, isSent } = await outbox.send(session, text, isOfCommand);
  if (!isSent) onRefused(text);
  store.change((state) => {
    const settled = settleText(state);
    // Messages sent while the agent works end with the same outcome, which is shown once.
    const isLast = session.agent.state !== "waiting_for_model" && session.agent.state !== "executing_tools";
    const notices = isLast ? outcomeBlocks(outcome, settled.blocks.at(-1)) : [];
    return withBlock({ ...settled, waiting: settled.waiting.filter((one) => one !== text) }, ...notices);
  });
}

/** Returns a notice for an outcome without an answer, unless it is shown already. */
function outcomeBlocks(outcome: Outcome, last: Block | undefined): readonly Block[] {
  const block = outcomeBlock(outcome);
  const isShown = block === undefined || (last?.kind === "notice" && last.text === block.text);
  return isShown ? [] : [block];
}

function outcomeBlock(outcome: Outcome): Extract<Block, { kind: "notice" }> | undefined {
  if (outcome.kind === "answered") return undefined;
  if (outcome.kind === "failed") {
    const { message, hint } = outcome.fault;
    return { kind: "notice", level: "error", text: message, ...(hint !== undefined && { hint }) };
  }
  const { why, detail } = outcome;
  if (why === "cancelled") return { kind: "notice", level: "info", text: "cancelled" };
  return { kind: "notice", level: "warning", text: `stopped (${why}): ${detail}` };
}
