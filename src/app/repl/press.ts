import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { Mode } from "../../core/policy.ts";
import { recordAnswer } from "./approvals/pending-approvals.ts";
import type { ReplParts } from "./repl-parts.ts";
import { withStatus } from "./show-session.ts";
import { choose, goBack, submitAnswer, type DialogStep } from "./state/dialog.ts";
import type { ReplSession } from "./state/session.ts";
import { cleared } from "./state/repl-state.ts";
import { showMore } from "./state/show-more.ts";

/** Takes one key, except Ctrl-C. */
export function press(parts: ReplParts, key: string): void {
  const { store, approvals, prompt, leave } = parts;
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

/** Cancels the running work; returns false if there is none. */
export function cancelWork({ runner, conversation }: ReplParts): boolean {
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

/** Answers the first question if the key is one of its choices. */
export function pressChoice(parts: ReplParts, key: string): void {
  const [pending] = parts.store.get().approvals;
  const step = pending?.dialog.kind === "choose" ? choose(pending.request, key) : undefined;
  if (pending !== undefined && step !== undefined) takeStep(parts, pending.id, step);
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
