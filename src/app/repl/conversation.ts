import type { Outcome } from "../../agent/runtime/running-agent.ts";
import { attach } from "./attach.ts";
import type { ReplSession } from "./state/session.ts";
import { settleText } from "./state/hear-agent.ts";
import type { Block, ReplState } from "./state/repl-state.ts";
import { withBlock } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";

/** The session that is talked to, from before it is there. */
export interface Conversation {
  /** Undefined while it is loading. */
  readonly session: ReplSession | undefined;
  /** Does something with the session, now or when it is there; what is asked first is done first. */
  whenReady(work: (session: ReplSession) => void): void;
  /** Sends a message; it waits visibly until it is read. */
  send(text: string): void;
  /** Another session in place of this one. */
  readonly switchTo: (session: ReplSession) => void;
  close(): Promise<void>;
}

export function createConversation(store: Store<ReplState>, opening: Promise<ReplSession>): Conversation {
  let session: ReplSession | undefined;
  let detach: (() => void) | undefined;
  let waiting: ((session: ReplSession) => void)[] = [];
  let isClosed = false;
  const take = (next: ReplSession): void => {
    session = next;
    detach?.();
    detach = attach(next, store);
    for (const work of waiting.splice(0)) work(next);
  };
  const waitForSession = async (): Promise<void> => {
    try {
      const opened = await opening;
      if (isClosed) await opened.close();
      else take(opened);
    } catch {
      // Whoever opened it knows.
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
    send(text) {
      store.change((state) => ({ ...state, waiting: [...state.waiting, text] }));
      whenReady((ready) => void sendTo(ready, text, store));
    },
    switchTo: take,
    async close() {
      isClosed = true;
      waiting = [];
      detach?.();
      if (session === undefined) await opened;
      else await session.close();
    },
  };
}

async function sendTo(session: ReplSession, text: string, store: Store<ReplState>): Promise<void> {
  const outcome = await session.agent.send(text);
  store.change((state) => {
    const settled = settleText(state);
    // What was sent while it worked ends with the same outcome, which is told once.
    const isLast = session.agent.state !== "waiting_for_model" && session.agent.state !== "executing_tools";
    const told = isLast ? outcomeBlocks(outcome, settled.blocks.at(-1)) : [];
    return withBlock({ ...settled, waiting: settled.waiting.filter((one) => one !== text) }, ...told);
  });
}

/** What there is to say when it did not end with an answer. */
function outcomeBlocks(outcome: Outcome, last: Block | undefined): readonly Block[] {
  const block = outcomeBlock(outcome);
  const isTold = block === undefined || (last?.kind === "notice" && last.text === block.text);
  return isTold ? [] : [block];
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
