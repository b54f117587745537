import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { isObject, type JsonObject } from "../../../core/json.ts";
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
import { spacedJson } from "../../../util/json/spaced-json.ts";
import { visible } from "../../../util/text/visible.ts";
import { fieldKeys, keysOf, takesKeys, type ChoiceKey } from "../state/dialog.ts";
import type { Dialog, PendingApproval } from "../state/repl-state.ts";
import { diffRows } from "./diff.ts";
import { cut, wrap, wrapLines, type Sheet } from "./rows.ts";

export interface ApprovalView extends Sheet {
  /** The number of pending questions, this one included. */
  readonly count: number;
  /** True when keys go to this question. */
  readonly isArmed: boolean;
  /** The most rows of the question. */
  readonly room: number;
}

/** Returns the rows of a question. Details that do not fit are left out, with the key that prints them. */
export function approvalRows(pending: PendingApproval, view: ApprovalView): readonly string[] {
  const { question, dialog } = pending;
  const { width, room, paint } = view;
  const head = headRows(question, view);
  const details = detailsOf(pending, view);
  const choices = dialogRows(question, dialog, view);
  const above = [...head, ...details];
  const end = [...onceRows(question, view), ...choices];
  if (above.length + end.length <= room) return [...above, ...end];
  const more = (count: number): string =>
    cut(paint(["bold", "yellow"], `  … ${count} more rows: Ctrl-O prints all`), width);
  const left = room - end.length - 1;
  if (left >= 0) return [...above.slice(0, left), more(above.length - left), ...end];
  const linesAbove = above.slice(0, Math.max(0, room - choices.length - 1));
  const note = more(above.length + end.length - choices.length - linesAbove.length);
  // The frame drops rows from the top, so the note goes last if not even the choices fit.
  return choices.length < room ? [...linesAbove, note, ...choices] : [...choices, note];
}

/** Returns everything that a question shows, for the scrollback. */
export function wholeQuestion(pending: PendingApproval, sheet: Sheet): readonly string[] {
  const { question } = pending;
  return [
    ...headRows(question, { ...sheet, count: 1 }),
    ...detailsOf(pending, sheet),
    ...grantRows(pending, sheet),
  ];
}

function headRows(
  question: ApprovalQuestion,
  { width, count, paint }: Sheet & { readonly count: number },
): readonly string[] {
  const { heading, risk, reason, isUsual } = question;
  const level = risk === undefined ? "" : paint("dim", `  ${toolAndRisk(question)}`);
  const waiting = count > 1 ? paint("dim", ` · 1 of ${count}`) : "";
  return [
    ...wrap(paint(["yellow", "bold"], "? ") + paint("bold", heading) + level + waiting, width),
    // That the mode asks about such calls is known to who chose it.
    ...(isUsual ? [] : wrapLines(nested(reason), width, (row) => paint("yellow", row))),
  ];
}

/** Returns the facts of the call, then its diff or its input. */
function detailsOf({ request, question }: PendingApproval, { width, paint }: Sheet): readonly string[] {
  const { input, calls = [] } = request;
  const { view, inner } = question;
  if (view.kind === "question") return [];
  if (inner.length > 0)
    return inner.flatMap((call, index) => [
      ...wrapLines(innerText(call, index), width),
      ...inputOf(calls[index]?.input, width),
    ]);
  const touched = shownTouches(question, request.folder).flatMap((one) =>
    wrapLines(touchedText(one), width, (row) => paint("cyan", row)),
  );
  if (view.kind === "diff") return [...touched, ...diffRows(view.diff, { width, paint })];
  const rest = view.kind === "command" ? besidesCommand(request) : input;
  if (Object.keys(rest).length === 0) return touched;
  return [...touched, ...inputRows(rest, width)];
}

function inputOf(input: unknown, width: number): readonly string[] {
  return isObject(input) ? inputRows(input, width) : [];
}

/** Uses one line if the input fits. */
function inputRows(input: JsonObject, width: number): readonly string[] {
  const short = wrapLines(`input ${spacedJson(input)}`, width);
  return short.length === 1 ? short : wrapLines(`input ${JSON.stringify(input, undefined, 2)}`, width);
}

/** Returns why the call can be allowed only once. */
function onceRows({ onlyOnce }: ApprovalQuestion, { width, paint }: Sheet): readonly string[] {
  const dim = (row: string): string => paint("dim", row);
  return onlyOnce === undefined ? [] : wrapLines(`only once: ${onlyOnce}`, width, dim);
}

/** Returns the answers that would save rules, each with these as they are written in a policy file. */
function grantRows({ question, request }: PendingApproval, sheet: Sheet): readonly string[] {
  const dim = (row: string): string => sheet.paint("dim", row);
  const saving = question.choices.flatMap((choice) => {
    const rules = rulesOf(choice, request);
    const json = rules.map((rule) => `  ${spacedJson(rule)}`);
    return json.length === 0 ? [] : [`[${choice.key}] ${choiceText(choice)}, saved as`, ...json];
  });
  return [
    ...onceRows(question, sheet),
    ...saving.flatMap((line) => wrapLines(visible(line), sheet.width, dim)),
  ];
}

function dialogRows(question: ApprovalQuestion, dialog: Dialog, view: ApprovalView): readonly string[] {
  const { width, isArmed, paint } = view;
  const dim = (row: string): string => paint("dim", row);
  if (!isArmed) return wrapLines("stop typing to answer", width, dim);
  const problem = "problem" in dialog ? dialog.problem : undefined;
  const hint = (text: string): readonly string[] =>
    problem === undefined
      ? wrapLines(text, width, dim)
      : wrapLines(problem, width, (row) => paint("red", row));
  switch (dialog.kind) {
    case "choose":
      return choiceRows(keysOf(question), dialog.at, view);
    case "edit":
      return hint("edit the input, then press Enter; Esc goes back");
    case "command":
      return hint("answer the question before a command; Enter or Esc goes back to it");
    case "reason":
      return hint("reason (optional); Enter denies, Esc goes back");
    default:
      return [
        ...fieldRows(dialog, view),
        ...hint(takesKeys(dialog) ? "arrows and Enter, or a key; Esc: no" : "Enter accepts, Esc denies"),
      ];
  }
}

/** The share of the room that choices in words may take: the change comes first. */
const CHOICES_SHARE = 0.6;

/** Gives each choice a row, or, if that takes too much of the room, puts as many in a row as fit. */
function choiceRows(
  keys: readonly ChoiceKey[],
  at: number | undefined,
  { width, room, paint }: ApprovalView,
): readonly string[] {
  const choiceOf = (key: string, label: string, index: number): string => {
    const isChosen = index === at;
    const text = isChosen ? paint("bold", label) : label;
    return `${paint("yellow", isChosen ? "❯ " : "  ")}${paint(["bold", "yellow"], `[${key}]`)} ${text}`;
  };
  const listed = keys.flatMap(([key, label], index) =>
    wrap(choiceOf(key, label, index), width, "", "      "),
  );
  if (listed.length <= room * CHOICES_SHARE) return listed;
  const choices = keys.map(([key, , brief], index) => choiceOf(key, brief, index));
  const rows = [""];
  for (const choice of choices) {
    const row = rows.at(-1) ?? "";
    if (row !== "" && visibleWidth(row + choice) > width) rows.push(choice);
    else rows[rows.length - 1] = row + choice;
  }
  return rows.flatMap((row) => wrap(row.trimStart(), width, "  "));
}

function fieldRows(
  { fields: [field], at }: Extract<Dialog, { kind: "form" }>,
  view: ApprovalView,
): readonly string[] {
  if (field === undefined) return [];
  const { width, paint } = view;
  const { title, description, choices, default: fallback, isRequired } = field;
  const keys = fieldKeys(field).map(({ key, label }): ChoiceKey => [key, visible(label), visible(label)]);
  const isDefaultShown = fallback !== undefined && keys.length === 0;
  const otherwise = isDefaultShown ? ` [${JSON.stringify(fallback)}]` : isRequired ? "" : " (optional)";
  return [
    ...(title === "" ? [] : wrapLines(`${title}${otherwise}`, width, (row) => paint("bold", row))),
    ...(description === "" ? [] : wrapLines(description, width)),
    ...(keys.length > 0
      ? choiceRows(keys, at, view)
      : choices.flatMap((choice, index) => wrapLines(`${index + 1}. ${choice.title}`, width))),
  ];
}
