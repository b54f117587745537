import type { ApprovalRequest } from "../../../core/approval.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Rule } from "../../../core/rule.ts";
import { describeFact } from "../../terminal/approve/describe-request.ts";
import { visible } from "../../../util/text/visible.ts";
import { choicesOf, type Choice } from "../state/dialog.ts";
import type { Dialog, PendingApproval } from "../state/repl-state.ts";
import { cutLine, line, lineWidth, span, wrap, type Line, type Span, type Style } from "../text/line.ts";

export interface ApprovalView {
  readonly width: number;
  /** The number of pending questions, this one included. */
  readonly count: number;
  /** True when keys go to this question. */
  readonly isArmed: boolean;
  /** The most rows of details. */
  readonly detailRows: number;
}

/** Returns the rows of a question, with everything the call would do. Control characters are shown, never sent to the terminal. */
export function approvalLines(pending: PendingApproval, view: ApprovalView): readonly Line[] {
  const { request, dialog } = pending;
  const { width, detailRows } = view;
  const details = detailLines(pending, width);
  const shown = details.slice(0, Math.max(1, detailRows));
  const hidden = details.length - shown.length;
  const more = hidden > 0 ? [line(`  … ${hidden} more rows, Ctrl-O shows them`, { dim: true })] : [];
  return [
    ...headLines(request, view),
    ...shown,
    ...more.map((one) => cutLine(one, width)),
    ...grantLines(request, width),
    ...dialogLines(request, dialog, view),
  ];
}

function headLines(request: ApprovalRequest, { width, count }: ApprovalView): readonly Line[] {
  const { tool, risk, reason, question } = request;
  const asks = question === undefined ? ` wants to run (${risk} risk)` : " asks";
  const waiting = count > 1 ? ` · 1 of ${count}` : "";
  return [
    ...wrap(
      [
        span("? ", { colour: "yellow", bold: true }),
        span(visible(tool), { bold: true }),
        span(asks),
        span(waiting, { dim: true }),
      ],
      { width },
    ),
    ...text(question?.text ?? reason, width),
  ];
}

/** Returns the facts of the call, then its diff or its input. */
function detailLines({ request, change }: PendingApproval, width: number): readonly Line[] {
  const { input, facts, question } = request;
  if (question !== undefined) return [];
  const factLines = facts.flatMap((fact) => text(describeFact(fact), width, { colour: "cyan" }));
  if (change !== undefined)
    return [...factLines, ...change.map((row) => cutLine([span("  "), ...row], width))];
  const rest = facts.some(({ kind }) => kind === "command") ? withoutCommand(input) : input;
  if (Object.keys(rest).length === 0) return factLines;
  return [...factLines, ...inputLines(rest, width)];
}

/** Uses one line if the input fits. */
function inputLines(input: JsonObject, width: number): readonly Line[] {
  const short = text(`input ${spaced(input)}`, width);
  return short.length === 1 ? short : text(`input ${JSON.stringify(input, undefined, 2)}`, width);
}

/** Returns JSON with spaces between its parts, where it can be wrapped. */
function spaced(value: Rule | JsonObject): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, " ");
}

/** The command is shown as a fact. */
function withoutCommand({ command: _command, ...rest }: JsonObject): JsonObject {
  return rest;
}

function grantLines({ grant, ungrantable, question }: ApprovalRequest, width: number): readonly Line[] {
  if (question !== undefined) return [];
  if (ungrantable !== undefined) return text(`only once: ${ungrantable}`, width, { dim: true });
  return grant === undefined ? [] : text(`always would save: ${spaced(grant)}`, width, { dim: true });
}

function dialogLines(
  request: ApprovalRequest,
  dialog: Dialog,
  { width, isArmed }: ApprovalView,
): readonly Line[] {
  if (!isArmed) return text("stop typing to answer", width, { dim: true });
  switch (dialog.kind) {
    case "choose":
      return choiceLines(choicesOf(request), width);
    case "edit":
      return problem(dialog.problem, "edit the input, then press Enter; Esc goes back", width);
    case "reason":
      return text("reason (optional); Enter denies, Esc goes back", width, { dim: true });
    default:
      return fieldLines(dialog, width);
  }
}

/** Puts as many choices in a row as fit. */
function choiceLines(choices: readonly Choice[], width: number): readonly Line[] {
  const rows: Span[][] = [[]];
  for (const { key, label } of choices) {
    const spans = [span("  "), span(`[${key}]`, { bold: true, colour: "yellow" }), span(` ${label}`)];
    const row = rows.at(-1) ?? [];
    if (row.length > 0 && lineWidth([...row, ...spans]) > width) rows.push(spans);
    else row.push(...spans);
  }
  return rows.map((row) => cutLine(row, width));
}

function fieldLines(
  { fields: [field], problem: wrong }: Extract<Dialog, { kind: "form" }>,
  width: number,
): readonly Line[] {
  if (field === undefined) return [];
  const { title, description, choices, default: fallback, isRequired } = field;
  const otherwise =
    fallback !== undefined ? ` [${JSON.stringify(fallback)}]` : isRequired ? "" : " (optional)";
  return [
    ...text(`${title}${otherwise}`, width, { bold: true }),
    ...(description === "" ? [] : text(description, width)),
    ...choices.flatMap((choice, index) => text(`${index + 1}. ${choice.title}`, width)),
    ...problem(wrong, "Enter accepts, Esc denies", width),
  ];
}

function problem(wrong: string | undefined, otherwise: string, width: number): readonly Line[] {
  return wrong === undefined ? text(otherwise, width, { dim: true }) : text(wrong, width, { colour: "red" });
}

function text(content: string, width: number, style?: Style): readonly Line[] {
  return visible(content)
    .split("\n")
    .flatMap((row) => {
      const margin = [span(/^ */.exec(row)?.[0] ?? ""), span("  ")];
      return wrap([span(row.trimStart(), style)], { width, first: margin, next: margin });
    });
}
