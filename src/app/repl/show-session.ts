import type { AgentEvent } from "../../agent/runtime/agent-events.ts";
import { entryBlocks } from "./state/entry-blocks.ts";
import { onAgentEvent } from "./state/on-agent-event.ts";
import { onEngineEvent } from "./state/on-engine-event.ts";
import { foldRuns, withBlock, type Block, type ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";
import type { ReplSession } from "./state/session.ts";

/** How long the model's text is collected before it is shown: about one frame. */
const COLLECT_MS = 30;
/** How many blocks of a resumed session are shown. */
const MAX_RESUMED = 200;

/** Shows the events of a session until the returned function is called. */
export function showSession(session: ReplSession, store: Store): () => void {
  const { agent, engine } = session;
  store.change((state) => withSession(state, session));
  const text = collectText(store);
  const watched = new Set<Promise<void>>();
  let isShown = true;
  const refresh = (): void => void (isShown && store.change((state) => withStatus(state, session)));
  const watchBackground = (): void => {
    for (const ended of session.background().filter((one) => !watched.has(one))) {
      watched.add(ended);
      void ended.then(refresh);
    }
  };
  const stops = [
    engine.on((event) => {
      text.flush();
      store.change((state) =>
        onEngineEvent(state, event, {
          session: agent.session,
          now: performance.now(),
          nameOf: session.nameOf,
          changeOf: session.changes.changeOf,
          isReading: (tool) => engine.get(tool)?.effects === "none",
        }),
      );
      if (event.type !== "call.answered") return;
      void showTodos(session, store);
      watchBackground();
    }),
    agent.on((event) => {
      if (event.type === "model.text") return text.add(event);
      text.flush();
      store.change((state) => withStatus(onAgentEvent(state, event), session));
    }),
  ];
  void showTodos(session, store);
  return () => {
    isShown = false;
    text.flush();
    for (const stop of stops) stop();
  };
}

function withSession(state: ReplState, session: ReplSession): ReplState {
  const warnings = session.warnings.map((text): Block => ({ kind: "notice", level: "warning", text }));
  const isReading = (tool: string): boolean => session.engine.get(tool)?.effects === "none";
  const earlier = lastBlocks(foldRuns(entryBlocks(session.entries), isReading));
  const stateWithBlocks = withBlock({ ...state, agentState: session.agent.state }, ...warnings, ...earlier);
  return withStatus(stateWithBlocks, session);
}

/** Returns the last blocks, with a notice if there are more. */
function lastBlocks(blocks: readonly Block[]): readonly Block[] {
  const hidden = blocks.length - MAX_RESUMED;
  if (hidden <= 0) return blocks;
  const text = `${hidden} earlier blocks are not shown; /export writes all of them`;
  return [{ kind: "notice", level: "info", text }, ...blocks.slice(hidden)];
}

/** Updates the facts that the status line shows; not while the session closes, which ends the processes that the farewell counts. */
export function withStatus(state: ReplState, { agent, info }: ReplSession): ReplState {
  if (state.agentState === "closing") return state;
  return { ...state, info: { ...info }, spent: agent.spent() };
}

/** Shows the current list; shows none if it cannot be read. */
async function showTodos(session: ReplSession, store: Store): Promise<void> {
  const todos = await session.todos().catch(() => []);
  store.change((state) => (state.info?.id === session.info.id ? { ...state, todos } : state));
}

type ModelText = Extract<AgentEvent, { type: "model.text" }>;

/** Joins pieces of text, so that a fast model does not make the screen slow. */
function collectText(store: Store) {
  let last: ModelText | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    const event = last;
    [last, timer] = [undefined, undefined];
    if (event !== undefined) store.change((state) => onAgentEvent(state, event));
  };
  return {
    flush,
    add(event: ModelText): void {
      last = { ...event, text: (last?.text ?? "") + event.text };
      timer ??= setTimeout(flush, COLLECT_MS);
    },
  };
}
