import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import type { Mode } from "../../core/policy.ts";
import {
  createPendingApprovals,
  recordAnswer,
  type PendingApprovals,
} from "./approvals/pending-approvals.ts";
import { createCommandRunner, type CommandRunner } from "./command-runner.ts";
import { createConversation, type Conversation } from "./conversation.ts";
import { createCompletion } from "./input/complete.ts";
import { createInterruption } from "./interruption.ts";
import { PromptEditor } from "./input/prompt-editor.ts";
import { parseSlash } from "./run-slash.ts";
import { withStatus } from "./show-session.ts";
import { choose, goBack, submitAnswer, type DialogStep } from "./state/dialog.ts";
import { FIRST_STATE, withBlock, type ReplState } from "./state/repl-state.ts";
import type { ReplOptions, ReplSession } from "./state/session.ts";
import { showMore } from "./state/show-more.ts";
import { createStore, type Store } from "./state/store.ts";
import type { Paint } from "./text/paint.ts";

const RESUMED = { kind: "notice", level: "info", text: "resumed" } as const;

/** The REPL without its screen: it takes keys; its store and its editors hold what the screen shows. */
export interface Repl {
  readonly store: Store<ReplState>;
  /** Takes the message that is typed. */
  readonly prompt: PromptEditor;
  /** Takes the answer that is typed to a question. */
  readonly answer: PromptEditor;
  /** Takes one key, as the terminal sends it. */
  readonly press: (key: string) => void;
  /** Shows a notice after the program was suspended. */
  readonly resumed: () => void;
  /** Cancels the running work and closes the session; a second call does not wait for that. */
  readonly leave: (code: number) => void;
  /** Settles with the exit code when everything is closed; rejects if the session could not be opened. */
  readonly left: Promise<number>;
}

export interface CreateReplOptions extends Pick<ReplOptions, "open" | "version" | "folder"> {
  readonly tui: TUI;
  readonly paint: Paint;
}

/** Opens a session in the background and handles keys from the start. */
export function createRepl({ open, version, folder, tui, paint }: CreateReplOptions): Repl {
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
    store.change((state) => ({ ...state, agentState: "closing", hint: undefined }));
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
  const prompt = new PromptEditor(tui, { mark: "> ", paint, onSend: (text) => submit(parts, text) });
  const answer = new PromptEditor(tui, { mark: "= ", paint, onSend: (text) => answerLine(parts, text) });
  const chooseByKey = onlyAlone((key) => pressChoice(parts, key));
  const parts: ReplParts = { store, approvals, conversation, runner, prompt, answer, chooseByKey };
  prompt.setAutocompleteProvider(createCompletion(() => completionWorld(parts)));
  conversation.whenReady(({ history }) => prompt.setHistory(history.entries));
  const interruption = createInterruption(store, {
    cancel: () => cancelWork(parts),
    clear: () => {
      if (prompt.getText() === "") return false;
      prompt.setText("");
      return true;
    },
    leave: () => leave(0),
  });
  return {
    store,
    prompt,
    answer,
    resumed: () => store.change((state) => withBlock(state, RESUMED)),
    leave,
    left: left.promise,
    press(key) {
      if (matchesKey(key, "ctrl+c")) return interruption.press();
      interruption.reset();
      store.change((state) => (state.hint === undefined ? state : { ...state, hint: undefined }));
      return press(parts, key, leave);
    },
  };
}

/** What the keys change. */
interface ReplParts {
  readonly store: Store<ReplState>;
  readonly approvals: PendingApprovals;
  readonly conversation: Conversation;
  readonly runner: CommandRunner;
  readonly prompt: PromptEditor;
  readonly answer: PromptEditor;
  readonly chooseByKey: (key: string) => void;
}

function press(parts: ReplParts, key: string, leave: (code: number) => void): void {
  const { store, approvals, prompt } = parts;
  if (matchesKey(key, "ctrl+o")) return store.change(showMore);
  if (matchesKey(key, "ctrl+t"))
    return store.change((state) => ({ ...state, areTodosOpen: !state.areTodosOpen }));
  if (store.get().isArmed) return pressAtQuestion(parts, key);
  if (store.get().approvals.length > 0) approvals.typed();
  if (matchesKey(key, "ctrl+l")) return store.change(cleared);
  if (matchesKey(key, "shift+tab"))
    return parts.conversation.whenReady((session) => void turnMode(parts, session));
  if (matchesKey(key, "ctrl+d") && prompt.getText() === "") return leave(0);
  if (matchesKey(key, "escape") && !prompt.isShowingAutocomplete()) return void cancelWork(parts);
  return prompt.handleInput(key);
}

/** Returns false if nothing runs. */
function cancelWork({ runner, conversation }: ReplParts): boolean {
  const isCommand = runner.cancel();
  return conversation.session?.agent.cancel("you cancelled it") === true || isCommand;
}

/** The modes that a key reaches; `yolo` must be typed. */
const TURNED: readonly Mode[] = ["auto", "edits", "plan"];

async function turnMode({ store }: ReplParts, session: ReplSession): Promise<void> {
  const next = TURNED[(TURNED.indexOf(session.info.mode) + 1) % TURNED.length] ?? "auto";
  await session.setMode(next);
  store.change((state) => withStatus(state, session));
}

/** Passes the key to the first pending question. */
function pressAtQuestion(parts: ReplParts, key: string): void {
  const [pending] = parts.store.get().approvals;
  if (pending === undefined) return;
  const { id, request, dialog } = pending;
  if (matchesKey(key, "escape")) takeStep(parts, id, goBack(request, dialog));
  else if (dialog.kind === "choose") parts.chooseByKey(key);
  else parts.answer.handleInput(key);
}

function pressChoice(parts: ReplParts, key: string): void {
  const [pending] = parts.store.get().approvals;
  const step = pending?.dialog.kind === "choose" ? choose(pending.request, key) : undefined;
  if (pending !== undefined && step !== undefined) takeStep(parts, pending.id, step);
}

/** Ignores keys that arrive together: a word is not an answer. */
function onlyAlone(work: (key: string) => void): (key: string) => void {
  const keys: string[] = [];
  return (key) => {
    keys.push(key);
    if (keys.length > 1) return;
    queueMicrotask(() => {
      if (keys.splice(0).length === 1) work(key);
    });
  };
}

function answerLine(parts: ReplParts, text: string): void {
  const [pending] = parts.store.get().approvals;
  if (pending !== undefined) takeStep(parts, pending.id, submitAnswer(pending.dialog, text));
}

function takeStep({ store, approvals, answer }: ReplParts, id: number, step: DialogStep): void {
  const pending = store.get().approvals.find((one) => one.id === id);
  if (pending === undefined) return;
  if ("dialog" in step) {
    answer.setText(step.text ?? "");
    return store.change((state) => ({
      ...state,
      approvals: state.approvals.map((one) => (one.id === id ? { ...one, dialog: step.dialog } : one)),
    }));
  }
  store.change((state) => recordAnswer(state, pending.request, step.approval));
  return approvals.answer(id, step.approval);
}

function submit(parts: ReplParts, typed: string): void {
  const { conversation, prompt } = parts;
  const text = typed.trim();
  if (text === "") return;
  conversation.whenReady(({ history }) => {
    history.add(typed);
    prompt.setHistory(history.entries);
  });
  if (parseSlash(text) === undefined) conversation.send(text);
  else conversation.whenReady((session) => void runCommand(parts, session, text));
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

function completionWorld({
  conversation: { session },
  runner,
}: ReplParts): ReturnType<Parameters<typeof createCompletion>[0]> {
  if (session === undefined) return undefined;
  const { engine, agent, info } = session;
  return {
    commands: runner.commandsOf(session),
    world: { engine, session: agent.session },
    workspace: info.workspace,
  };
}

/** Clears the screen; the conversation stays. */
function cleared(state: ReplState): ReplState {
  return { ...state, blocks: [], screen: state.screen + 1 };
}
