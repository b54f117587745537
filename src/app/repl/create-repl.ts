import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import { createPendingApprovals } from "./approvals/pending-approvals.ts";
import { NO_MODEL } from "../host/open-configured-model.ts";
import { createCommandRunner, type RunnerControl } from "./command-runner.ts";
import { createConversation, type Conversation } from "./conversation.ts";
import { createCompletion } from "./input/complete.ts";
import { createInterruption } from "./interruption.ts";
import { defined } from "../../util/json/defined.ts";
import { toFault } from "../../util/json/fault.ts";
import { editText } from "./input/edit-text.ts";
import { PromptEditor } from "./input/prompt-editor.ts";
import { cleared, FIRST_STATE, withBlock, withNotice } from "./state/repl-state.ts";
import type { ReplOptions, ReplSession } from "./state/session.ts";
import { createStore, type Store } from "./state/store.ts";
import {
  answerLine,
  cancelWork,
  completionWorld,
  onlyAlone,
  press,
  pressChoice,
  submit,
  type ReplParts,
} from "./press.ts";
import type { Paint } from "../terminal/print/paint.ts";

/** The REPL without its screen: it takes keys; its store and its editors hold what the screen shows. */
export type Repl = ReturnType<typeof createRepl>;

export interface CreateReplOptions
  extends
    Pick<ReplOptions, "open" | "version" | "folder" | "message">,
    Partial<Pick<ReplOptions, "vim">>,
    Pick<RunnerControl, "useTheme" | "outside"> {
  readonly tui: TUI;
  readonly paint: Paint;
}

/** Opens a session in the background and handles keys from the start. */
export function createRepl({ open, version, folder, message = "", ...look }: CreateReplOptions) {
  const store = createStore(withBlock(FIRST_STATE, { kind: "banner", version, folder }));
  const approvals = createPendingApprovals(store);
  const left = Promise.withResolvers<number>();
  const opening = open(approvals);
  opening.catch(left.reject);
  const conversation = createConversation(store, opening, (text) => {
    if (prompt.getText() === "") prompt.setText(text);
  });
  let isLeaving = false;
  const close = (code: number): void => {
    if (isLeaving) return left.resolve(code);
    isLeaving = true;
    store.change((state) => ({ ...state, agentState: "closing", hint: undefined }));
    approvals.close();
    interruption.close();
    conversation.close().then(() => left.resolve(code), left.reject);
  };
  /** Cancels the running work and closes the session; a second call does not wait for that. */
  const leave = (code: number): void => {
    runner.cancel();
    close(code);
  };
  // A command that leaves is not cancelled by that.
  const runner = createCommandRunner(
    { ...controlOf(store, conversation, () => close(0)), ...screenOf(look, () => prompt) },
    () => conversation.session,
  );
  const prompt = createEditor(look, "> ", (text) => submit(parts, text));
  const answer = createEditor({ ...look, vim: false }, "= ", (text) => answerLine(parts, text));
  const chooseByKey = onlyAlone((key) => pressChoice(parts, key));
  const parts: ReplParts = { store, approvals, conversation, runner, prompt, answer, chooseByKey, leave };
  prompt.setAutocompleteProvider(createCompletion(() => completionWorld(parts)));
  conversation.whenReady((session) => {
    prompt.setHistory(session.history.entries);
    void offerModels(store, session);
  });
  if (message !== "") submit(parts, message);
  const interruption = createInterruption(store, {
    cancel: () => cancelWork(parts),
    clear: () => prompt.clear(),
    leave: () => leave(0),
  });
  return {
    store,
    /** Takes the message that is typed. */
    prompt,
    /** Takes the answer that is typed to a question. */
    answer,
    /** Has the message edited in a program, while the screen is not drawn; shows why if that fails. Never rejects. */
    edit: (editor: string) => edit(parts, editor),
    /** Shows a notice after the program was suspended. */
    resumed: (): void => store.change((state) => withNotice(state, "info", "resumed")),
    leave,
    /** Settles with the exit code when everything is closed; rejects if the session could not be opened. */
    left: left.promise,
    /** Takes one key, as the terminal sends it. */
    press(key: string): void {
      const { hint, search } = store.get();
      if (matchesKey(key, "ctrl+c"))
        return search === undefined ? interruption.press() : press(parts, "\u{1b}");
      interruption.reset();
      store.change((state) => (state.hint === undefined ? state : { ...state, hint: undefined }));
      return press(parts, key, hint);
    },
  };
}

type Look = Pick<CreateReplOptions, "tui" | "paint" | "vim" | "useTheme" | "outside">;

function createEditor(
  { tui, paint, vim = false }: Look,
  mark: string,
  onSend: (text: string) => void,
): PromptEditor {
  return new PromptEditor(tui, { mark, paint, hasVi: vim, onSend });
}

async function edit({ store, prompt }: ReplParts, editor: string): Promise<void> {
  try {
    prompt.setText(await editText(editor, prompt.getExpandedText()));
  } catch (error) {
    const { message, hint } = toFault(error);
    store.change((state) => withNotice(state, "error", message, hint));
  }
}

function controlOf(store: Store, conversation: Conversation, leave: () => void): RunnerControl {
  return {
    switchTo: conversation.switchTo,
    clear: () => store.change(cleared),
    leave,
    send: (text) => conversation.send(text, { isOfCommand: true }),
    note: conversation.note,
    isTyped: true,
    onTypedCall: (id) => store.change((state) => ({ ...state, typedCalls: [...state.typedCalls, id] })),
    showReasoning(isShown) {
      store.change((state) => ({ ...state, showsReasoning: isShown ?? !state.showsReasoning }));
      return store.get().showsReasoning;
    },
  };
}

/** Returns what commands need of the screen. */
function screenOf(
  { tui, useTheme, outside }: Look,
  prompt: () => PromptEditor,
): Pick<RunnerControl, "offer" | "copy" | "useVi" | "useTheme" | "outside"> {
  return {
    ...defined({ useTheme, outside }),
    useVi: (isOn) => prompt().useVi(isOn),
    offer: (text) => prompt().offer(text),
    copy: (text) => tui.terminal.write(clipboardSequence(text)),
  };
}

/** Returns the sequence with which a terminal takes a text into the clipboard. */
function clipboardSequence(text: string): string {
  return `\u{1b}]52;c;${Buffer.from(text).toString("base64")}\u{7}`;
}

/** How many models the first notice names. */
const MAX_OFFERED = 6;

/** Names the models that can be used if none is set. */
async function offerModels(store: Store, session: ReplSession): Promise<void> {
  if (session.info.model !== NO_MODEL.id) return;
  const modelIds = (await session.models()).map(({ id }) => id);
  if (modelIds.length === 0) return;
  const more = modelIds.length > MAX_OFFERED ? ` and ${modelIds.length - MAX_OFFERED} more` : "";
  const text = `you can use ${modelIds.slice(0, MAX_OFFERED).join(", ")}${more}: /model NAME chooses one`;
  store.change((state) => withNotice(state, "info", text));
}
