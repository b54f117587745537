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
