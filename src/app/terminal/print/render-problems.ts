import type { SourceProblem } from "../../../core/source.ts";
import { visible } from "../../../util/text/visible.ts";

/** Returns the problems of sources, for a person or as JSON. */
export function renderProblems(
  problems: readonly SourceProblem[],
  { isJson }: { readonly isJson: boolean },
): string {
  if (isJson) return `${JSON.stringify(problems)}\n`;
  if (problems.length === 0) return "no problems\n";
  return problems.map(render).join("");
}

function render({ reason, subject, message, hint }: SourceProblem): string {
  const lines = [`${reason}  ${subject}`, `    ${message}`, ...(hint === undefined ? [] : [`    ${hint}`])];
  return lines.map((line) => `${visible(line).replaceAll("\n", " ")}\n`).join("");
}
