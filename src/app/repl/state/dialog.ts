import { parseObject } from "../../../util/json/parse-json.ts";
import type { Approval } from "../../../core/approval.ts";
import type { JsonObject } from "../../../core/json.ts";
import { visibleJson } from "../../../util/text/visible.ts";
import type { Dialog } from "./repl-state.ts";
import { fieldsOf, type FormField } from "../../../sources/mcp/transport/form.ts";
import { declined } from "../../host/approvals/answers.ts";
import { answerOf } from "../../host/approvals/approval-question.ts";
import type { ApprovalQuestion } from "../../host/approvals/question.ts";
import { readField } from "../../terminal/approve/fill-form.ts";

/** The dialog after a key or a typed line, with the text to edit next; or the user's answer. */
export type DialogStep =
  | { readonly dialog: Dialog; readonly text?: string }
  | { readonly approval: Approval };

/** Returns the initial dialog about a request. */
export function firstDialog({ form }: ApprovalQuestion): Dialog {
  const fields = fieldsOf(form) ?? [];
  return fields.length === 0 ? { kind: "choose" } : formDialog(fields, {});
}

type FormDialog = Extract<Dialog, { kind: "form" }>;

/** Returns the dialog for the first of the fields; the arrow keys begin at its default. */
function formDialog(fields: readonly FormField[], answers: JsonObject): FormDialog {
  const [field] = fields;
  const text = field?.default === true ? "y" : field?.default === false ? "n" : field?.default;
  const at = field === undefined ? -1 : fieldKeys(field).findIndex((one) => one.text === text);
  return { kind: "form", fields, answers, ...(at >= 0 && { at }) };
}

/** The most choices of a field that have a key of their own. */
const MAX_KEYS = 9;

/** Returns the keys that answer a field at once, with the text that each stands for; empty if its answer is typed. */
export function fieldKeys({ kind, choices }: FormField): readonly (FieldKey & { readonly text: string })[] {
  if (kind === "boolean")
    return [
      { key: "y", label: "Yes", text: "y" },
      { key: "n", label: "No", text: "n" },
    ];
  if (kind !== "choice" || choices.length > MAX_KEYS) return [];
  return choices.map(({ value, title }, index) => ({ key: String(index + 1), label: title, text: value }));
}

interface FieldKey {
  readonly key: string;
  readonly label: string;
}

/** Returns whether single keys answer the dialog; otherwise text is typed. */
export function takesKeys(dialog: Dialog): boolean {
  if (dialog.kind !== "form") return dialog.kind === "choose" || dialog.kind === "command";
  const [field] = dialog.fields;
  return field !== undefined && fieldKeys(field).length > 0;
}

/** A key, what it answers, and the same in as few words as possible. */
export type ChoiceKey = readonly [key: string, label: string, brief: string];

/** Returns the keys of the possible answers; editing is one before the denial. */
export function keysOf({ choices, isEditable }: ApprovalQuestion): readonly ChoiceKey[] {
  const keys = choices.map(({ key, label, brief, warning }): ChoiceKey => [
    key,
    warned(label, warning),
    warned(brief, warning),
  ]);
  return isEditable ? [...keys.slice(0, -1), ["e", "Edit the input", "edit"], ...keys.slice(-1)] : keys;
}

function warned(text: string, warning: string | undefined): string {
  return warning === undefined ? text : `${text} (${warning})`;
}

/** The sequences that terminals send for the arrow keys, and how far they move. */
const ARROWS: Readonly<Record<string, number | undefined>> = {
  "\u{1b}[A": -1,
  "\u{1b}OA": -1,
  "\u{1b}[B": 1,
  "\u{1b}OB": 1,
};

/** With these a line of the prompt begins that is a command. */
const COMMAND_STARTS: ReadonlySet<string> = new Set(["/", "!"]);

/** Returns the step for a pressed key; undefined if it is not an answer. */
export function choose(
  question: ApprovalQuestion,
  pressed: string,
  input: JsonObject,
  dialog: Dialog = { kind: "choose" },
): DialogStep | undefined {
  if (dialog.kind === "form") return chooseInField(dialog, pressed);
  const begun = beginCommand(pressed, dialog);
  if (begun !== undefined) return { dialog: begun };
  if (dialog.kind === "command") return undefined;
  const at = dialog.kind === "choose" ? dialog.at : undefined;
  const keys = keysOf(question);
  const moved = movedBy(pressed, at, keys.length);
  if (moved !== undefined) return { dialog: { kind: "choose", at: moved } };
  const key = pressed === "\r" && at !== undefined ? (keys[at]?.[0] ?? "") : pressed.toLowerCase();
  if (key === "e" && question.isEditable)
    return { dialog: { kind: "edit" }, text: visibleJson(JSON.stringify(input)) };
  return stepOf(question, key);
}

/** Returns the step for the choice with this key; undefined if there is none. */
function stepOf(question: ApprovalQuestion, key: string): DialogStep | undefined {
  const choice = question.choices.find((one) => one.key === key);
  if (choice?.approval.approved === true) return { approval: answerOf(question, choice.id) };
  if (choice === undefined) return undefined;
  return question.takesReason ? { dialog: { kind: "reason" } } : { approval: declined() };
}

/** Returns the dialog while a command is typed, and that to which Enter goes back; undefined for other keys. */
function beginCommand(pressed: string, { kind }: Dialog): Dialog | undefined {
  if (kind === "command") return pressed === "\r" ? { kind: "choose" } : undefined;
  return COMMAND_STARTS.has(pressed) ? { kind: "command" } : undefined;
}

/** Returns which choice an arrow key reaches; undefined for other keys. The first press reaches the first or the last: Enter alone is no answer. */
function movedBy(pressed: string, at: number | undefined, count: number): number | undefined {
  const move = ARROWS[pressed];
  if (move === undefined) return undefined;
  return ((at ?? (move > 0 ? -1 : count)) + move + count) % count;
}

/** Enter takes the choice that the arrow keys have reached; without one, the default, or nothing if the field may be left out. */
function chooseInField(dialog: FormDialog, pressed: string): DialogStep | undefined {
  const [field] = dialog.fields;
  const keys = field === undefined ? [] : fieldKeys(field);
  const moved = movedBy(pressed, dialog.at, keys.length);
  if (moved !== undefined) return { dialog: { ...dialog, at: moved } };
  if (pressed === "\r") return nextField(dialog, keys[dialog.at ?? -1]?.text ?? "");
  const chosen = keys.find(({ key }) => key === pressed.toLowerCase());
  return chosen && nextField(dialog, chosen.text);
}

/** Returns the step for Escape: from a typed answer back to the choices, from these to a denial. */
export function goBack(question: ApprovalQuestion, { kind }: Dialog): DialogStep {
  const isTyping = kind === "edit" || kind === "reason" || kind === "command";
  return isTyping ? { dialog: firstDialog(question) } : { approval: declined() };
}

/** Returns the step for a typed line. */
export function submitAnswer(dialog: Dialog, text: string): DialogStep {
  if (dialog.kind === "choose" || dialog.kind === "command") return { dialog };
  if (dialog.kind === "form") return nextField(dialog, text);
  if (dialog.kind === "reason") return { approval: declined(text.trim()) };
  const input = parseObject(text);
  return input === undefined
    ? { dialog: { ...dialog, problem: "the input is not a JSON object" }, text }
    : { approval: { approved: true, scope: "once", input } };
}

function nextField(dialog: FormDialog, text: string): DialogStep {
  const [field, ...fields] = dialog.fields;
  if (field === undefined) return { approval: { approved: true, scope: "once", input: dialog.answers } };
  const answer = readField(field, text);
  if ("problem" in answer) return { dialog: { ...dialog, problem: answer.problem }, text };
  const { value } = answer;
  const answers = value === undefined ? dialog.answers : { ...dialog.answers, [field.name]: value };
  if (fields.length === 0) return { approval: { approved: true, scope: "once", input: answers } };
  return { dialog: formDialog(fields, answers) };
}
