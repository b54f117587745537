import type { ApprovalRequest } from "../../../core/approval.ts";
import { spacedJson } from "../../../util/json/spaced-json.ts";
import { visible } from "../../../util/text/visible.ts";
import type { ApprovalQuestion } from "../../host/approvals/question.ts";
import {
  besidesCommand,
  choiceText,
  innerText,
  nested,
  rulesOf,
  shownTouches,
  toolAndRisk,
  touchedText,
} from "../../host/approvals/question-text.ts";
import { wrapIndented } from "../print/wrap.ts";

export interface Page {
  /** The columns of the terminal. */
  readonly width: number;
}

/** Returns a question in words, with the folder and, below the change, the input that no other line has: `questionDetails` has all of it. */
export function questionWords(question: ApprovalQuestion, request: ApprovalRequest, { width }: Page): string {
  const { heading, tool, risk, reason, isUsual, inner, onlyOnce } = question;
  const folder = folderOf(question, request);
  const head = risk === undefined ? heading : `${heading}  (${toolAndRisk({ heading, tool, risk })})`;
  const touched = inner.length > 0 ? inner.map(innerText) : touchedTexts(question, request);
  // The programs of a command come below its folder.
  const isNamed = touched[0]?.split("\n", 1)[0] === `in ${folder}`;
  const texts = [
    ...(folder === undefined || isNamed ? [] : [`in ${folder}`]),
    // That the mode asks about such calls is known to who chose it.
    ...(isUsual || reason === heading ? [] : [reason]),
    ...touched,
  ];
  const indented = (text: string): readonly string[] => wrapIndented(`  ${nested(nested(text))}`, width);
  const lines = [
    // Further than the other lines: what is wrapped cannot look like one of them.
    ...wrapIndented(`? ${head}`, width, 4),
    ...texts.flatMap(indented),
    ...contentLines(question, request).map((line) => `  ${line}`),
    ...(onlyOnce === undefined ? [] : indented(`only once: ${onlyOnce}`)),
  ];
  return `\n${lines.join("\n")}\n`;
}

/** Returns the folder that the paths are relative to, or in which a command starts: those who answer elsewhere do not know it. */
function folderOf({ folder, view }: ApprovalQuestion, request: ApprovalRequest): string | undefined {
  const isHere = view.kind === "command" && view.folder === request.folder;
  return folder ?? (isHere ? view.folder : undefined);
}

function touchedTexts(question: ApprovalQuestion, { folder }: ApprovalRequest): readonly string[] {
  return question.view.kind === "question" ? [] : shownTouches(question, folder).map(touchedText);
}

/** Returns the diff, the details of a question, or the input that no other line has. */
function contentLines({ view, input }: ApprovalQuestion, request: ApprovalRequest): readonly string[] {
  if (view.kind === "question") return view.details?.split("\n") ?? [];
  if (view.kind === "diff") return view.diff.split("\n");
  if (view.kind === "input") return `input ${input}`.split("\n");
  const rest = besidesCommand(request);
  return Object.keys(rest).length === 0
    ? []
    : visible(`input ${JSON.stringify(rest, undefined, 2)}`).split("\n");
}

/** Returns the input and the rules that answers would save, as JSON. */
export function questionDetails(
  question: ApprovalQuestion,
  request: ApprovalRequest,
  { width }: Page,
): string {
  const rules = question.choices.flatMap((choice) => {
    const saved = rulesOf(choice, request).map((rule) => `    ${visible(spacedJson(rule))}`);
    return saved.length === 0 ? [] : [`  [${choice.key}] saves`, ...saved];
  });
  const input = `input ${question.input}`.split("\n").map((line) => `  ${line}`);
  return `${[...input, ...rules].flatMap((line) => wrapIndented(line, width)).join("\n")}\n`;
}

/** Returns the possible answers, one below the other, with their keys; those of a terminal too if it is one. */
export function choiceLines(
  { choices, isEditable }: ApprovalQuestion,
  { width, isTerminal }: Page & { readonly isTerminal: boolean },
): string {
  const keys = choices.map((choice): readonly [string, string] => [choice.key, choiceText(choice)]);
  const no = keys.pop();
  const more: (readonly [string, string])[] = [];
  if (isEditable && isTerminal) more.push(["e", "Edit the input"]);
  const rows = [...keys, ...more, ...(no === undefined ? [] : [no])];
  if (isTerminal) rows.push(["Ctrl-O", "Show the input and the rules that are saved, as JSON"]);
  return rows
    .flatMap(([key, label]) => wrapIndented(`  [${key}] ${label}`, width, 6))
    .map((line) => `${line}\n`)
    .join("");
}

/** Returns the last line of a question, at which the answer is typed. */
export function answerPrompt({ takesReason }: ApprovalQuestion): string {
  return takesReason ? "Answer (Enter is n; n REASON tells why not): " : "Answer (Enter is n): ";
}
