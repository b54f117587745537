import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import type { Block } from "../state/repl-state.ts";
import { plain, plainLine } from "../text/plain.ts";
import { diffRows, wholeQuestion } from "./approval.ts";
import { bannerRow } from "./banner.ts";
import { callRow } from "./call.ts";
import { markdownRows } from "./markdown.ts";
import { cut, wrap, type Sheet } from "./rows.ts";

const EXPANDED_ROWS = 40;

/** Returns the rows of a finished block. */
export function blockRows(block: Block, sheet: Sheet): readonly string[] {
  const { width, paint } = sheet;
  switch (block.kind) {
    case "banner":
      return [cut(bannerRow(block, width, paint), width)];
    case "prompt":
      return textRows(
        block.text,
        width,
        block.from === undefined ? paint("bold", "> ") : paint("magenta", `${plainLine(block.from)}: `),
      );
    case "markdown":
      return markdownRows(block.text, sheet);
    case "thought":
      return textRows(block.text, width, "~ ").map((row) => paint("dim", row));
    case "call":
      return callRows(block, sheet);
    case "command":
      return [
        ...textRows(block.text, width, paint("dim", "> ")),
        ...textRows(block.output.replace(/\n+$/, ""), width),
      ];
    case "question":
      return wholeQuestion(block.pending, sheet);
    default:
      return noticeRows(block, sheet);
  }
}

/** Returns whether a blank row separates two blocks: consecutive calls have none. */
export function hasGap(before: Block | undefined, block: Block): boolean {
  if (before === undefined) return false;
  return !(before.kind === block.kind && (block.kind === "call" || block.kind === "notice"));
}

type Of<Kind extends Block["kind"]> = Extract<Block, { readonly kind: Kind }>;

function callRows(block: Of<"call">, { width, paint }: Sheet): readonly string[] {
  const { head, summary, answer, text } = callRow(block, paint);
  const room = Math.max(10, width - visibleWidth(head));
  if (block.isExpanded) return [cut(head + summary, width), ...answerRows(block, text, { width, paint })];
  // Each part gets at least half of the room.
  const shown = cut(summary, Math.max(Math.floor(room / 2), room - visibleWidth(answer) - 1));
  const row = cut(`${head}${shown}${shown === "" ? "" : " "}${answer}`, width);
  const diff = /^--- .*\n\+\+\+ [^]*/m.exec(text)?.[0] ?? block.change;
  return diff === undefined || !block.result.ok ? [row] : [row, ...diffRows(diff, { width, paint })];
}

function answerRows({ result }: Of<"call">, text: string, { width, paint }: Sheet): readonly string[] {
  const rows = textRows(text, width, "  ");
  const hidden = rows.length - EXPANDED_ROWS;
  if (hidden <= 0) return rows;
  const more = `  … ${hidden} more rows, /trace ${plainLine(result.callId)} shows them`;
  return [...rows.slice(0, EXPANDED_ROWS), cut(paint("dim", more), width)];
}

const LEVELS = { info: ["· ", "dim"], warning: ["! ", "yellow"], error: ["✗ ", "red"] } as const;

function noticeRows({ level, text, hint }: Of<"notice">, { width, paint }: Sheet): readonly string[] {
  const [mark, style] = LEVELS[level];
  const rows = wrap(paint(style, plain(text)), width, paint(style, mark));
  return hint === undefined ? rows : [...rows, ...textRows(hint, width, "  ")];
}

function textRows(text: string, width: number, first = ""): readonly string[] {
  return wrap(plain(text), width, first);
}
