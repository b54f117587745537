import { answerKey } from "./state/dialog.ts";
import type { PendingApprovals } from "./ask/pending-approvals.ts";
import { createPendingApprovals, recordAnswer } from "./ask/pending-approvals.ts";
import { withFacts } from "./attach.ts";
import type { Commander } from "./commander.ts";
import { createCommander } from "./commander.ts";
import { complete, startMenu } from "./complete/complete.ts";
import type { Conversation } from "./conversation.ts";
import { createConversation } from "./conversation.ts";
import { createInterruption } from "./interruption.ts";
import type { KeyEvent } from "./keys/key.ts";
import { nameOf } from "./keys/key.ts";
import { emptyPrompt, pressKey } from "./press-key.ts";
import { parseSlash } from "./run-slash.ts";
import type { ReplOptions, ReplSession } from "./state/session.ts";
import type { ReplState } from "./state/repl-state.ts";
import { FIRST_STATE, withBlock } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";
import { createStore } from "./state/store.ts";

const GOING_ON = { kind: "notice", level: "info", text: "going on" } as const;

/** The REPL without its screen: keys go in, and what is to be seen is in its store. */
export interface Repl {
  readonly store: Store<ReplState>;
  readonly press: (event: KeyEvent) => void;
  /** Says that the program was stopped and goes on, so that everything is drawn again. */
  readonly goOn: () => void;
  /** Ends what runs and lets go of the session; asked again, it does not wait for that. */
  readonly leave: (code: number) => void;
  /** Settles with the exit code when everything is closed; rejects where the session could not be opened. */
  readonly left: Promise<number>;
}

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
    commander.cancel();
    approvals.close();
    interruption.close();
    conversation.close().then(() => left.resolve(code), left.reject);
  };
  const commander = createCommander(
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
      const isCommand = commander.cancel();
      return conversation.session?.agent.cancel("you cancelled it") === true || isCommand;
    },
    leave: () => leave(0),
  });
  const desk: Desk = { store, approvals, conversation, commander };
  return {
    store,
    goOn: () => store.change((state) => withBlock(state, GOING_ON)),
    leave,
    left: left.promise,
    press(event) {
      if (event.kind === "key" && nameOf(event) === "ctrl-c") return interruption.press();
      interruption.forget();
      const wish = press(desk, event);
      if (wish === "leave") leave(0);
      if (wish === "clear") store.change(cleared);
    },
  };
}

/** What the keys work on. */
interface Desk {
  readonly store: Store<ReplState>;
  readonly approvals: PendingApprovals;
  readonly conversation: Conversation;
  readonly commander: Commander;
}

function press(desk: Desk, event: KeyEvent): "leave" | "clear" | undefined {
  const { store, approvals, conversation } = desk;
  const name = event.kind === "key" ? nameOf(event) : "";
  if (name === "ctrl-o") store.change((state) => ({ ...state, isExpanded: !state.isExpanded }));
  else if (name === "ctrl-t") store.change((state) => ({ ...state, areTodosOpen: !state.areTodosOpen }));
  else if (store.get().isArmed) answer(desk, event);
  else {
    if (store.get().approvals.length > 0) approvals.typed();
    const history = conversation.session?.history.entries ?? [];
    const { state, wish } = pressKey(store.get(), event, history);
    store.change(() => state);
    if (wish === "submit") submit(desk);
    if (wish === "complete") void completeWord(desk);
    return wish === "leave" || wish === "clear" ? wish : undefined;
  }
  return undefined;
}

/** The first question that waits gets the key. */
function answer({ store, approvals }: Desk, event: KeyEvent): void {
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

function submit(desk: Desk): void {
  const { store, conversation } = desk;
  const { text } = store.get().editor;
  store.change(emptyPrompt);
  conversation.whenReady(({ history }) => history.add(text));
  if (parseSlash(text) === undefined) conversation.send(text.trim());
  else conversation.whenReady((session) => void runCommand(desk, session, text.trim()));
}

async function runCommand(
  { store, conversation, commander }: Desk,
  session: ReplSession,
  text: string,
): Promise<void> {
  const [command] = text.split(/\s/, 1);
  store.change((state) => ({ ...state, command }));
  const output = await commander.run(session, text);
  store.change((state) => {
    const done = withFacts({ ...state, command: undefined }, conversation.session ?? session);
    return output === "" ? done : withBlock(done, { kind: "command", text, output });
  });
}

async function completeWord({ store, conversation, commander }: Desk): Promise<void> {
  const { session } = conversation;
  const { editor } = store.get();
  if (session === undefined) return;
  const { engine, agent, info } = session;
  const menu = await complete(editor, {
    commands: commander.commandsOf(session),
    world: { engine, session: agent.session },
    workspace: info.workspace,
  });
  if (menu === undefined) return;
  // What was typed in the meantime is worth more.
  store.change((state) => (state.editor === editor ? { ...state, ...startMenu(editor, menu) } : state));
}

/** The screen is empty, the conversation is not. */
function cleared(state: ReplState): ReplState {
  return { ...state, blocks: [], screen: state.screen + 1 };
}
