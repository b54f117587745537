import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { Mode } from "../../core/policy.ts";
import { levelText } from "../terminal/print/modes-and-levels.ts";
import { recordAnswer, type PendingApprovals } from "./approvals/pending-approvals.ts";
import { parseSlash, type CommandRunner } from "./command-runner.ts";
import type { Conversation } from "./conversation.ts";
import type { CompletionWorld } from "./input/complete.ts";
import { createFileIndex, type FileIndex } from "./input/files/file-index.ts";
import { pastedReference, referenceTo } from "./input/files/pasted-path.ts";
import { recentPaths } from "./typed/reference.ts";
import type { PromptEditor } from "./input/prompt-editor.ts";
import { withStatus } from "./show-session.ts";
import { choose, goBack, submitAnswer, takesKeys, type DialogStep } from "./state/dialog.ts";
import type { ReplSession } from "./state/session.ts";
import { pressAtSearch, startSearch } from "./state/search.ts";
import { contentText } from "../../util/text/content-text.ts";
import { toFault } from "../../util/json/fault.ts";
import { cleared, showMore, withBlock, withNotice } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";
import { LEAVE, parseShell } from "./typed/typed.ts";

/** What the keys change. */
export interface ReplParts {
  readonly store: Store;
  readonly approvals: PendingApprovals;
  readonly conversation: Conversation;
  readonly runner: CommandRunner;
  readonly prompt: PromptEditor;
  readonly answer: PromptEditor;
  readonly chooseByKey: (key: string) => void;
  readonly leave: (code: number) => void;
}

/** Takes one key, except Ctrl-C. */
export function press(parts: ReplParts, key: string, hint?: string): void {
  const { store, approvals, prompt, leave } = parts;
  if (matchesKey(key, "ctrl+o")) return store.change(showMore);
  if (matchesKey(key, "ctrl+t"))
    return store.change((state) => ({ ...state, areTodosOpen: !state.areTodosOpen }));
  if (store.get().isArmed) return pressAtQuestion(parts, key);
  if (store.get().approvals.length > 0) approvals.typed();
  if (store.get().search !== undefined || matchesKey(key, "ctrl+r")) return search(parts, key);
  if (matchesKey(key, "ctrl+l")) return store.change(cleared);
  if (matchesKey(key, "shift+tab"))
    return parts.conversation.whenReady((session) => void turnMode(parts, session));
  if (matchesKey(key, "ctrl+d") && prompt.getText() === "") return leave(0);
  if (cancels(parts, key)) return escape(parts, key === ESCAPE_TWICE || hint === EDIT_HINT);
  return typeKey(parts, key);
}

/** Returns true for an Escape that is not for the menu of the prompt, or for its keys of vi. */
function cancels({ prompt }: ReplParts, key: string): boolean {
  if (prompt.isShowingAutocomplete()) return false;
  return key === ESCAPE_TWICE || (matchesKey(key, "escape") && !prompt.takesEscape());
}

/** Passes a key to the prompt; an image or its path becomes a reference. */
function typeKey(parts: ReplParts, key: string): void {
  const { prompt } = parts;
  if (matchesKey(key, "ctrl+v")) return void pasteImage(parts);
  if (matchesKey(key, "up") && prompt.getText() === "" && takeBack(parts, 1)) return;
  const reference = pastedReference(key);
  return reference === undefined ? prompt.handleInput(key) : prompt.insertTextAtCursor(reference);
}

/** Attaches the image in the clipboard, which a terminal does not paste. */
async function pasteImage({ store, prompt }: ReplParts): Promise<void> {
  const { saveClipboardImage } = await import("./input/files/clipboard-image.ts");
  const file = await saveClipboardImage().catch(() => undefined);
  if (file !== undefined) prompt.insertTextAtCursor(referenceTo(file));
  const hint = "no image in the clipboard; wl-paste, xclip or macOS gives it";
  store.change((state) => (file === undefined ? { ...state, hint } : { ...state }));
}

/** Two presses that arrive together. */
const ESCAPE_TWICE = "\u{1b}\u{1b}";
const EDIT_HINT = "Esc again edits the last message";

/**
 * Cancels the running work, and returns the messages that it has not read to the prompt; without any, and with an empty prompt, the second
 * press edits the last message.
 */
function escape(parts: ReplParts, isSecond: boolean): void {
  const { store, conversation, prompt } = parts;
  takeBack(parts);
  if (cancelWork(parts) || prompt.getText() !== "") return;
  if (isSecond) return conversation.whenReady((session) => void editLast(parts, session));
  const { blocks, spent } = store.get();
  // The message may have been cleared from the screen.
  if ((spent?.turns ?? 0) > 0 || blocks.some(({ kind }) => kind === "prompt"))
    store.change((state) => ({ ...state, hint: EDIT_HINT }));
}

/** Returns to the conversation before the last message, which is in the prompt then. Shows why if that fails. */
async function editLast({ store, conversation, prompt }: ReplParts, session: ReplSession): Promise<void> {
  try {
    const rewound = await session.rewind();
    store.change(cleared);
    conversation.switchTo(rewound.session);
    if (prompt.getText() === "") prompt.setText(rewound.text);
    const text = "back before your last message; files stay as they are, /undo takes back changes of calls";
    store.change((state) => withNotice(state, "info", text));
  } catch (error) {
    const { message, hint } = toFault(error);
    store.change((state) => withNotice(state, "error", `the message cannot be edited: ${message}`, hint));
  }
}

/** Passes a key to the search in earlier prompts, which Ctrl-R opens. */
function search({ store, conversation, prompt }: ReplParts, key: string): void {
  const entries = conversation.session?.history.entries ?? [];
  const { search: open } = store.get();
  const step = open === undefined ? { search: startSearch(entries) } : pressAtSearch(open, key, entries);
  if (step !== undefined && "chosen" in step) prompt.setText(step.chosen);
  const next = step !== undefined && "search" in step ? step.search : undefined;
  store.change((state) => ({ ...state, search: next }));
}

/** Returns the last messages that wait for the agent to the prompt, before what is typed there; false if none waits. */
function takeBack({ store, conversation, prompt }: ReplParts, count?: number): boolean {
  const taken = conversation.session?.agent.takeBack(count) ?? [];
  const texts = taken.map((content) => contentText(content.slice(0, 1)));
  if (texts.length === 0) return false;
  prompt.setText([...texts, prompt.getText()].filter((text) => text !== "").join("\n"));
  store.change((state) => {
    const waiting = [...state.waiting];
    for (const text of texts) if (waiting.includes(text)) waiting.splice(waiting.lastIndexOf(text), 1);
    return { ...state, waiting };
  });
  return true;
}

/** Cancels the running work; returns false if there is none. */
export function cancelWork({ runner, conversation }: ReplParts): boolean {
  const isCommand = runner.cancel();
  return conversation.session?.agent.cancel("by the user") === true || isCommand;
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
  const { id, question, dialog } = pending;
  if (matchesKey(key, "escape")) takeStep(parts, id, goBack(question, dialog));
  else if (takesKeys(dialog)) parts.chooseByKey(key);
  else parts.answer.handleInput(key);
}

/** Answers the first question if the key is one of its choices. */
export function pressChoice(parts: ReplParts, key: string): void {
  const [pending] = parts.store.get().approvals;
  if (pending === undefined || !takesKeys(pending.dialog)) return;
  const step = choose(pending.question, key, pending.request.input, pending.dialog);
  if (step !== undefined) takeStep(parts, pending.id, step);
}

/** Ignores keys that arrive together: a word is not an answer. */
export function onlyAlone(work: (key: string) => void): (key: string) => void {
  const keys: string[] = [];
  return (key) => {
    keys.push(key);
    if (keys.length > 1) return;
    queueMicrotask(() => {
      if (keys.splice(0).length === 1) work(key);
    });
  };
}

/** Takes a typed answer to the first question. */
export function answerLine(parts: ReplParts, text: string): void {
  const [pending] = parts.store.get().approvals;
  if (pending !== undefined) takeStep(parts, pending.id, submitAnswer(pending.dialog, text));
}

function takeStep({ store, approvals, answer, conversation }: ReplParts, id: number, step: DialogStep): void {
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
  approvals.answer(id, step.approval);
  const { approved } = step.approval;
  if (approved && step.approval.scope === "once" && approvals.isLevelDue(pending.request))
    conversation.whenReady((session) => void offerLevel(store, session));
}

/** Offers the levels, because the same command was asked about again and again. Shows why if the chosen one has no effect. */
async function offerLevel(store: Store, session: ReplSession): Promise<void> {
  try {
    const level = await session.offerLevel();
    if (level === undefined) return;
    store.change((state) => withNotice(withStatus(state, session), "info", levelText(level)));
  } catch (error) {
    const { message, hint } = toFault(error);
    store.change((state) => withNotice(state, "error", message, hint));
  }
}

/** Takes a typed line: a message, a slash command, a command of the shell, or the wish to leave. */
export function submit(parts: ReplParts, typed: string): void {
  const { conversation, prompt } = parts;
  const text = typed.trim();
  if (text === "") return;
  conversation.whenReady(({ history }) => {
    history.add(typed);
    prompt.setHistory(history.entries);
  });
  if (LEAVE.has(text)) parts.leave(0);
  else if (parseSlash(text) === undefined && parseShell(text) === undefined) conversation.send(text);
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
    // The output of a command of the shell is shown with its call.
    return output === "" || text.startsWith("!") ? done : withBlock(done, { kind: "command", text, output });
  });
}

/** The paths of each session's workspace; a conversation that replaces another has the same history. */
const indexes = new WeakMap<ReplSession["history"], FileIndex>();

function indexOf({ history, info }: ReplSession): FileIndex {
  const index = indexes.get(history) ?? createFileIndex(info.workspace);
  indexes.set(history, index);
  return index;
}

/** Returns what completion needs; undefined while the session loads. */
export function completionWorld({
  conversation: { session },
  runner,
}: ReplParts): CompletionWorld | undefined {
  if (session === undefined) return undefined;
  const { engine, agent, info } = session;
  return {
    commands: runner.commandsOf(session),
    world: { engine, session: agent.session },
    workspace: info.workspace,
    files: indexOf(session),
    recent: () => recentPaths(session.history.entries),
  };
}
