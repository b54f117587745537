import { answerKey } from "./state/dialog.ts";
import {
  createPendingApprovals,
  recordAnswer,
  type PendingApprovals,
} from "./approvals/pending-approvals.ts";
import { withStatus } from "./show-session.ts";
import { createCommandRunner, type CommandRunner } from "./command-runner.ts";
import { complete, startMenu } from "./complete/complete.ts";
import { createConversation, type Conversation } from "./conversation.ts";
import { createInterruption } from "./interruption.ts";
import { nameOf, type KeyEvent } from "./keys/key.ts";
import { emptyPrompt, pressKey } from "./press-key.ts";
import { parseSlash } from "./run-slash.ts";
import type { ReplOptions, ReplSession } from "./state/session.ts";
import { FIRST_STATE, withBlock, type ReplState } from "./state/repl-state.ts";
import { createStore, type Store } from "./state/store.ts";

const RESUMED = { kind: "notice", level: "info", text: "resumed" } as const;

/** The REPL without its screen: it takes keys, and its store holds what the screen shows. */
export interface Repl {
  readonly store: Store<ReplState>;
  readonly press: (event: KeyEvent) => void;
  /** Draws everything again after the program was suspended, with a notice. */
  readonly redraw: () => void;
  /** Cancels the running work and closes the session; a second call does not wait for that. */
  readonly leave: (code: number) => void;
  /** Settles with the exit code when everything is closed; rejects if the session could not be opened. */
  readonly left: Promise<number>;
}

/** Opens a session in the background and handles keys from the start. */
export function createRepl({
  open,
  version,
  folder,
}: Pick<ReplOptions, "open" | "version" | "folder">): Repl {
  const store = createStore<ReplState>(withBlock(FIRST_STATE, { kind: "banner", version, folder }));
  const approvals = createPendingApprovals(store);
  const left = Promise.withResolvers<number>();
  const opening = open(approvals);
  opening.catch(left.reject);
  const conversation = createConversation(store, opening);
  let isLeaving = false;
  const leave = (code: number): void => {
    if (isLeaving) return left.resolve(code);
    isLeaving = true;
    store.change((state) => ({ ...state, agentState: "closing", menu: undefined, hint: undefined }));
    runner.cancel();
    approvals.close();
    interruption.close();
    conversation.close().then(() => left.resolve(code), left.reject);
  };
  const runner = createCommandRunner(
    {
      switchTo: conversation.switchTo,
      clear: () => store.change(cleared),
      leave: () => leave(0),
      send: (text) => conversation.send(text),
    },
    () => conversation.session,
  );
  const interruption = createInterruption(store, {
    cancel: () => {
      const isCommand = runner.cancel();
      return conversation.session?.agent.cancel("you cancelled it") === true || isCommand;
    },
    leave: () => leave(0),
  });
  const parts: ReplParts = { store, approvals, conversation, runner };
  return {
    store,
    redraw: () => store.change((state) => withBlock(state, RESUMED)),
    leave,
    left: left.promise,
    press(event) {
      if (event.kind === "key" && nameOf(event) === "ctrl-c") return interruption.press();
      interruption.reset();
      const action = press(parts, event);
      if (action === "leave") leave(0);
      if (action === "clear") store.change(cleared);
    },
  };
}

/** What the keys change. */
interface ReplParts {
  readonly store: Store<ReplState>;
  readonly approvals: PendingApprovals;
  readonly conversation: Conversation;
  readonly runner: CommandRunner;
}

function press(parts: ReplParts, event: KeyEvent): "leave" | "clear" | undefined {
  const { store, approvals, conversation } = parts;
  const name = event.kind === "key" ? nameOf(event) : "";
  if (name === "ctrl-o") store.change((state) => ({ ...state, isExpanded: !state.isExpanded }));
  else if (name === "ctrl-t") store.change((state) => ({ ...state, areTodosOpen: !state.areTodosOpen }));
  else if (store.get().isArmed) answer(parts, event);
  else {
    if (store.get().approvals.length > 0) approvals.typed();
    const history = conversation.session?.history.entries ?? [];
    const { state, action } = pressKey(store.get(), event, history);
    store.change(() => state);
    if (action === "submit") submit(parts);
    if (action === "complete") void completeWord(parts);
    return action === "leave" || action === "clear" ? action : undefined;
  }
  return undefined;
}

/** Passes the key to the first pending question. */
function answer({ store, approvals }: ReplParts, event: KeyEvent): void {
  const [pending] = store.get().approvals;
  if (pending === undefined) return;
  const { id, request, dialog } = pending;
  const next = answerKey(request, dialog, event);
  if ("dialog" in next) {
    return store.change((state) => ({
      ...state,
      approvals: state.approvals.map((one) => (one.id === id ? { ...one, dialog: next.dialog } : one)),
    }));
  }
  store.change((state) => recordAnswer(state, request, next.approval));
  return approvals.answer(id, next.approval);
}

function submit(parts: ReplParts): void {
  const { store, conversation } = parts;
  const { text } = store.get().editor;
  store.change(emptyPrompt);
  conversation.whenReady(({ history }) => history.add(text));
  if (parseSlash(text) === undefined) conversation.send(text.trim());
  else conversation.whenReady((session) => void runCommand(parts, session, text.trim()));
}

async function runCommand(
  { store, conversation, runner }: ReplParts,
  session: ReplSession,
  text: string,
): Promise<void> {
  const [command] = text.split(/\s/, 1);
  store.change((state) => ({ ...state, command }));
  const output = await runner.run(session, text);
  store.change((state) => {
    const done = withStatus({ ...state, command: undefined }, conversation.session ?? session);
    return output === "" ? done : withBlock(done, { kind: "command", text, output });
  });
}

async function completeWord({ store, conversation, runner }: ReplParts): Promise<void> {
  const { session } = conversation;
  const { editor } = store.get();
  if (session === undefined) return;
  const { engine, agent, info } = session;
  const menu = await complete(editor, {
    commands: runner.commandsOf(session),
    world: { engine, session: agent.session },
    workspace: info.workspace,
  });
  if (menu === undefined) return;
  // Text that was typed in the meantime wins.
  store.change((state) => (state.editor === editor ? { ...state, ...startMenu(editor, menu) } : state));
}

/** Clears the screen; the conversation stays. */
function cleared(state: ReplState): ReplState {
  return { ...state, blocks: [], screen: state.screen + 1 };
}
