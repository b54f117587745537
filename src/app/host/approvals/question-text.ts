import type { ApprovalRequest } from "../../../core/approval.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Rule } from "../../../core/rule.ts";
import type { ApprovalQuestion, Choice, InnerCall, Touched } from "./question.ts";

/** Returns a question as lines: everything that the call would do, and the rules that an answer would save. */
export function questionText(question: ApprovalQuestion): string {
  const { heading, tool, risk, reason, folder, view, input, touches, inner, choices, onlyOnce } = question;
  const lines = [
    "",
    risk === undefined ? heading : `${heading} (${toolAndRisk({ heading, tool, risk })})`,
    ...(folder === undefined ? [] : indented(nested(`in ${folder}`))),
    ...indented(nested(reason)),
    ...indented(view.kind === "diff" ? view.diff : input),
    ...touches.flatMap((one) => indented(`touches: ${touchedText(one)}`)),
    ...inner.flatMap((call, index) => indented(innerText(call, index))),
    ...lastingLines(choices, onlyOnce).flatMap((line) => indented(nested(line))),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the rules that an answer would save for good. */
export function rulesOf({ approval }: Choice, { grant, offers = [] }: ApprovalRequest): readonly Rule[] {
  if (!approval.approved || approval.scope !== "always") return [];
  if (approval.offer === undefined) return grant === undefined ? [] : [grant];
  const offer = offers[approval.offer];
  return offer === undefined || offer.adds !== undefined ? [] : [offer.rule, ...(offer.more ?? [])];
}

/** Returns the input without the command, which is shown already, and without how long it may take. */
export function besidesCommand({ input, facts }: Pick<ApprovalRequest, "input" | "facts">): JsonObject {
  const { command, timeout_seconds: _limit, idle_timeout_seconds: _idle, ...rest } = input;
  const { background, ...others } = rest;
  const isShown = facts.some((fact) => fact.kind === "command" && fact.text === command);
  return {
    ...(command !== undefined && !isShown && { command }),
    ...(background === false ? others : rest),
  };
}

/** Leaves out what the heading, which may name a sub-agent first, says: the one file of a change or a read, and a command that is one program with these words, in the folder. */
export function shownTouches(
  { heading, view, touches }: ApprovalQuestion,
  folder: string | undefined,
): ApprovalQuestion["touches"] {
  if (view.kind === "diff" && touches.length === 1) return [];
  const [only, ...rest] = touches;
  // `Read .env` has said `read .env`.
  if (view.kind === "input" && rest.length === 0 && heading.endsWith(only?.text.slice(1) ?? "")) return [];
  if (view.kind !== "command" || !heading.endsWith(`Run ${view.command}`)) return touches;
  const isOne = view.programs.length === 1 && view.programs[0] === `runs: ${view.command}`;
  const programs = isOne ? [] : view.programs;
  const others = touches.slice(1).filter(({ text }) => text !== `read ${view.folder}`);
  if (view.folder === folder && programs.length === 0) return others;
  return [{ text: `in ${view.folder}`, programs }, ...others];
}

/** Returns `edit_file, medium risk`; without the tool if the heading names it. */
export function toolAndRisk({
  heading,
  tool,
  risk,
}: Pick<ApprovalQuestion, "heading" | "tool" | "risk">): string {
  return heading.endsWith(` ${tool}`) ? `${risk} risk` : `${tool}, ${risk} risk`;
}

/** Returns a line for each rule that an answer would save, or why the call can only be allowed once. */
export function lastingLines(choices: readonly Choice[], onlyOnce: string | undefined): readonly string[] {
  const saved = choices.flatMap(({ id, saves, warning }) =>
    saves === undefined ? [] : [withWarning(`${id} would save: ${saves}`, warning)],
  );
  return onlyOnce === undefined ? saved : [...saved, `only once: ${onlyOnce}`];
}

/** Returns the label of a choice with its warning. */
export function choiceText({ label, warning }: Choice): string {
  return withWarning(label, warning);
}

function withWarning(text: string, warning: string | undefined): string {
  return warning === undefined ? text : `${text} (${warning})`;
}

/** Returns what a call touches, with a line for each program of a command. */
export function touchedText({ text, programs }: Touched): string {
  return nested([text, ...programs].join("\n"));
}

/** Returns a call that the call would make, and below it what that touches. */
export function innerText({ tool, decided, reason, touches }: InnerCall, index: number): string {
  return nested([`call ${index + 1}: ${tool} ${decided}: ${reason}`, ...touches.map(touchedText)].join("\n"));
}

function indented(text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${line}`);
}

/** Indents all lines but the first: what follows a line break in a text cannot look like a line of the question. */
export function nested(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
