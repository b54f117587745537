import { parseObject } from "../../terminal/approve/terminal-approver.ts";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { visibleJson } from "../../../util/text/visible.ts";
import { editKey } from "../edit/edit-key.ts";
import { editorOf, EMPTY_EDITOR } from "../edit/editor.ts";
import { nameOf, type KeyEvent } from "../keys/key.ts";
import type { Dialog } from "./repl-state.ts";
import { fieldsOf } from "../../../sources/mcp/transport/form.ts";
import { refused, scopesOf } from "../../terminal/approve/describe-request.ts";
import { readField } from "../../terminal/approve/fill-form.ts";

/** One possible answer. */
export interface Choice {
  readonly key: string;
  readonly label: string;
}

const SCOPES = {
  once: { key: "y", label: "yes, once" },
  session: { key: "s", label: "same call, all session" },
  always: { key: "a", label: "always" },
} as const;
const EDIT: Choice = { key: "e", label: "edit" };
const NO: Choice = { key: "n", label: "no" };

/** Returns the possible answers; a scope that cannot be granted is not offered. */
export function choicesOf(request: ApprovalRequest): readonly Choice[] {
  if (request.question !== undefined) return [{ ...SCOPES.once, label: "yes" }, NO];
  return [...scopesOf(request).map((scope) => SCOPES[scope]), EDIT, NO];
}

/** Returns the initial dialog about a request. */
export function firstDialog(request: ApprovalRequest): Dialog {
  const fields = fieldsOf(request.question?.details?.["form"]) ?? [];
  return fields.length === 0
    ? { kind: "choose" }
    : { kind: "form", fields, answers: {}, editor: EMPTY_EDITOR };
}

/** Returns the dialog after a key, or the user's answer. */
export function answerKey(
  request: ApprovalRequest,
  dialog: Dialog,
  event: KeyEvent,
): { readonly dialog: Dialog } | { readonly approval: Approval } {
  if (dialog.kind === "choose") return choose(request, event);
  const key = event.kind === "key" ? nameOf(event) : "";
  if (key === "escape") {
    return dialog.kind === "form" ? { approval: refused("you said no") } : { dialog: firstDialog(request) };
  }
  if (key === "enter") return submit(request, dialog);
  const { editor, ...rest } = dialog;
  return { dialog: { ...rest, editor: editKey(editor, event) ?? editor } };
}

function choose(request: ApprovalRequest, event: KeyEvent): ReturnType<typeof answerKey> {
  // Several characters at once are not an answer.
  const key = event.kind === "text" ? event.text.toLowerCase() : "";
  if (!choicesOf(request).some((choice) => choice.key === key)) return { dialog: { kind: "choose" } };
  const scope = scopesOf(request).find((one) => SCOPES[one].key === key);
  if (scope !== undefined) return { approval: { approved: true, scope } };
  if (key === "n") return { dialog: { kind: "reason", editor: EMPTY_EDITOR } };
  return { dialog: { kind: "edit", editor: editorOf(visibleJson(JSON.stringify(request.input))) } };
}

type TypingDialog = Exclude<Dialog, { kind: "choose" }>;

function submit(request: ApprovalRequest, dialog: TypingDialog): ReturnType<typeof answerKey> {
  if (dialog.kind === "form") return nextField(dialog);
  const { text } = dialog.editor;
  if (dialog.kind === "reason") return { approval: refused(text.trim() || "you said no") };
  const input = parseObject(text);
  return input === undefined
    ? { dialog: { ...dialog, problem: "the input is not a JSON object" } }
    : { approval: { approved: true, scope: "once", input } };
}

function nextField(dialog: Extract<Dialog, { kind: "form" }>): ReturnType<typeof answerKey> {
  const [field, ...fields] = dialog.fields;
  if (field === undefined) return { approval: { approved: true, scope: "once", input: dialog.answers } };
  const answer = readField(field, dialog.editor.text);
  if ("problem" in answer) return { dialog: { ...dialog, problem: answer.problem } };
  const { value } = answer;
  const answers = value === undefined ? dialog.answers : { ...dialog.answers, [field.name]: value };
  if (fields.length === 0) return { approval: { approved: true, scope: "once", input: answers } };
  return { dialog: { kind: "form", fields, answers, editor: EMPTY_EDITOR } };
}
