import { markdownLines } from "../markdown/markdown-lines.ts";
import type { Block } from "../state/repl-state.ts";
import { answerText, shortAnswer } from "../state/summary.ts";
import { cutLine, line, lineWidth, span, wrap, type Line } from "../text/line.ts";
import { plain, plainLine } from "../text/plain.ts";
import { cutTo, widthOf } from "../text/width.ts";
import { bannerLine } from "./banner.ts";
import { secondsOf } from "./calls.ts";

const EXPANDED_LINES = 40;

/** Returns the rows of a finished block. */
export function blockLines(block: Block, width: number): readonly Line[] {
  switch (block.kind) {
    case "banner":
      return [bannerLine(block, width)];
    case "prompt":
      return promptBlock(block, width);
    case "markdown":
      return markdownLines(block.text, width);
    case "call":
      return callBlock(block, width);
    case "command":
      return [
        ...textLines(block.text, width, line("> ", { dim: true })),
        ...textLines(block.output.replace(/\n+$/, ""), width, []),
      ];
    default:
      return noticeLines(block, width);
  }
}

/** Returns whether a blank line separates two blocks: consecutive calls have none. */
export function hasGap(before: Block | undefined, block: Block): boolean {
  if (before === undefined) return false;
  return !(before.kind === block.kind && (block.kind === "call" || block.kind === "notice"));
}

type Of<Kind extends Block["kind"]> = Extract<Block, { readonly kind: Kind }>;

function promptBlock({ text, from }: Of<"prompt">, width: number): readonly Line[] {
  const who =
    from === undefined ? line("> ", { bold: true }) : line(`${plainLine(from)}: `, { colour: "magenta" });
  return textLines(text, width, who);
}

function callBlock(
  { summary, result, durationMs, isOfChild, isExpanded }: Of<"call">,
  width: number,
): readonly Line[] {
  const head = [
    span(isOfChild ? "  ↳ " : ""),
    result.ok ? span("✓ ", { colour: "green" }) : span("✗ ", { colour: "red" }),
    span(plainLine(result.name), { bold: true }),
    span(durationMs === undefined ? " " : ` ${secondsOf(durationMs)} `, { dim: true }),
  ];
  const room = Math.max(10, width - lineWidth(head));
  const failure = result.ok ? "" : `${result.error.code}: `;
  if (isExpanded) {
    const first = cutLine([...head, span(cutTo(summary, room))], width);
    return [first, ...answerRows(`${failure}${answerText(result)}`, result.callId, width)];
  }
  const answer = `→ ${failure}${shortAnswer(result)}`;
  // Each part gets at least half of the room.
  const shown = cutTo(summary, Math.max(Math.floor(room / 2), room - widthOf(answer) - 1));
  const end = span(`${shown === "" ? "" : " "}${answer}`, result.ok ? { dim: true } : { colour: "red" });
  return [cutLine([...head, span(shown), end], width)];
}

function answerRows(text: string, callId: string, width: number): readonly Line[] {
  const rows = textLines(text, width, line("  "));
  const hidden = rows.length - EXPANDED_LINES;
  if (hidden <= 0) return rows;
  const more = line(`  … ${hidden} more rows, /trace ${plainLine(callId)} shows them`, { dim: true });
  return [...rows.slice(0, EXPANDED_LINES), cutLine(more, width)];
}

const LEVELS = {
  info: [span("· ", { dim: true }), { dim: true }],
  warning: [span("! ", { colour: "yellow" }), { colour: "yellow" }],
  error: [span("✗ ", { colour: "red" }), { colour: "red" }],
} as const;

function noticeLines({ level, text, hint }: Of<"notice">, width: number): readonly Line[] {
  const [mark, style] = LEVELS[level];
  const rows = plain(text)
    .split("\n")
    .flatMap((row, index) => wrap([span(row, style)], { width, first: index === 0 ? [mark] : [span("  ")] }));
  return hint === undefined ? rows : [...rows, ...textLines(hint, width, [span("  ")])];
}

/** Wraps each line of a plain text. */
function textLines(text: string, width: number, first: Line): readonly Line[] {
  const margin = [span(" ".repeat(first.reduce((sum, one) => sum + one.text.length, 0)))];
  return plain(text)
    .split("\n")
    .flatMap((row, index) => wrap([span(row)], { width, first: index === 0 ? first : margin, next: margin }));
}
