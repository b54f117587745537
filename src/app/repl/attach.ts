import type { AgentEvent } from "../../agent/runtime/agent-events.ts";
import { entryBlocks } from "./state/entry-blocks.ts";
import { hearAgent } from "./state/hear-agent.ts";
import { hearEngine } from "./state/hear-engine.ts";
import type { Block, ReplState } from "./state/repl-state.ts";
import { withBlock } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";
import type { ReplSession } from "./state/session.ts";

/** How long text of the model is gathered before it is shown: as long as one picture of the screen. */
const GATHER_MS = 30;
/** How much of a kept session is shown again. */
const MAX_SHOWN_AGAIN = 200;

/** Shows what happens in a session from now on; gives back the way to stop. */
export function attach(session: ReplSession, store: Store<ReplState>): () => void {
  const { agent, engine } = session;
  store.change((state) => begin(state, session));
  const text = gatherText(store);
  const ends = [
    engine.on((event) => {
      text.flush();
      store.change((state) => hearEngine(state, event, { session: agent.session, now: performance.now() }));
      if (event.type === "call.answered") void showTodos(session, store);
    }),
    agent.on((event) => {
      if (event.type === "model.text") return text.add(event);
      text.flush();
      store.change((state) => withFacts(hearAgent(state, event), session));
    }),
  ];
  void showTodos(session, store);
  return () => {
    text.flush();
    for (const end of ends) end();
  };
}

function begin(state: ReplState, session: ReplSession): ReplState {
  const warnings = session.warnings.map((text): Block => ({ kind: "notice", level: "warning", text }));
  const before = lastOf(entryBlocks(session.entries));
  const begun = withBlock({ ...state, agentState: session.agent.state }, ...warnings, ...before);
  return withFacts(begun, session);
}

/** The end of what happened before; all of it can be had from the session. */
function lastOf(blocks: readonly Block[]): readonly Block[] {
  const hidden = blocks.length - MAX_SHOWN_AGAIN;
  if (hidden <= 0) return blocks;
  const text = `${hidden} earlier pieces are not shown; /export writes all of them`;
  return [{ kind: "notice", level: "info", text }, ...blocks.slice(hidden)];
}

/** What the status says, read again. */
export function withFacts(state: ReplState, { agent, info }: ReplSession): ReplState {
  return { ...state, info: { ...info }, spent: agent.spent() };
}

/** The list as it is now; one that cannot be read is not shown. */
async function showTodos(session: ReplSession, store: Store<ReplState>): Promise<void> {
  const todos = await session.todos().catch(() => []);
  store.change((state) => (state.info?.id === session.info.id ? { ...state, todos } : state));
}

interface Gathering {
  add(event: Extract<AgentEvent, { type: "model.text" }>): void;
  flush(): void;
}

/** Puts pieces of text together, so that a fast model does not make the screen slow. */
function gatherText(store: Store<ReplState>): Gathering {
  let last: Extract<AgentEvent, { type: "model.text" }> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    const event = last;
    [last, timer] = [undefined, undefined];
    if (event !== undefined) store.change((state) => hearAgent(state, event));
  };
  return {
    flush,
    add(event) {
      last = { ...event, text: (last?.text ?? "") + event.text };
      timer ??= setTimeout(flush, GATHER_MS);
    },
  };
}
