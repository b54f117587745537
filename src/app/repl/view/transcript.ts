import { EXPANDED_LINES, type Block } from "../state/repl-state.ts";
import type { Paint } from "../../terminal/print/paint.ts";
import { cut, wrap, type Sheet } from "./rows.ts";
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { plain, plainLine } from "../text/plain.ts";
import { wholeQuestion } from "./approval.ts";
import { bannerRow } from "./banner.ts";
import { callRow, runRow } from "./call.ts";
import { diffRows } from "./diff.ts";
import { markdownRows } from "./markdown.ts";

/** The rows of the finished blocks, each drawn once. */
export type Transcript = ReturnType<typeof createTranscript>;

/** Creates a transcript. After a change of the terminal's size it has only the blocks that fit: the others are in the scrollback. */
export function createTranscript(paint: Paint) {
  let first = 0;
  let drawn: (readonly string[])[] = [];
  let last = { width: 0, rows: 0 };
  const draw = (blocks: readonly Block[], index: number, width: number): readonly string[] => {
    const block = blocks[index];
    if (block === undefined) return [];
    const rows = blockRows(block, { width, paint }).map((row) => cut(row, width));
    return hasGap(blocks[index - 1], block) ? ["", ...rows] : rows;
  };
  return {
    rows(blocks: readonly Block[], { width, rows }: typeof last): readonly string[] {
      if (last.width !== 0 && (last.width !== width || last.rows !== rows)) {
        drawn = [];
        first = firstThatFits(blocks.length, first, rows, (index) => draw(blocks, index, width));
      }
      last = { width, rows };
      while (first + drawn.length < blocks.length) drawn.push(draw(blocks, first + drawn.length, width));
      return drawn.flat();
    },
    /** Leaves out the blocks so far: they are above, on the terminal. */
    forget(blocks: readonly Block[]): void {
      [first, drawn] = [blocks.length, []];
    },
    /** Leaves out the first blocks that fit into a number of rows; returns their rows. */
    release(rows: number): number {
      let used = 0;
      let count = 0;
      for (; count < drawn.length && used + (drawn[count]?.length ?? 0) <= rows; count += 1) {
        used += drawn[count]?.length ?? 0;
      }
      first += count;
      drawn = drawn.slice(count);
      return used;
    },
    height: () => drawn.reduce((sum, rows) => sum + rows.length, 0),
    clear(): void {
      [first, drawn] = [0, []];
    },
  };
}

function firstThatFits(
  count: number,
  first: number,
  rows: number,
  draw: (index: number) => readonly string[],
): number {
  let index = count;
  for (let used = 0; index > first && used < rows; index -= 1) used += draw(index - 1).length;
  return index;
}

/** Returns the rows of a finished block. */
export function blockRows(block: Block, sheet: Sheet): readonly string[] {
  const { width, paint } = sheet;
  switch (block.kind) {
    case "banner":
      return [cut(bannerRow(block, width, paint), width)];
    case "prompt":
      return promptRows(
        block.text,
        sheet,
        block.from === undefined ? paint("bold", "> ") : paint("magenta", `${plainLine(block.from)}: `),
      );
    case "markdown":
      return markdownRows(block.text, sheet);
    case "thought":
      return textRows(block.text, width, "~ ").map((row) => paint("dim", row));
    case "call":
      return callRows(block, sheet);
    case "calls":
      return [cut(runRow(block.calls, paint), width)];
    case "command":
      return [
        ...textRows(block.text, width, paint("dim", "> ")),
        ...plain(block.output.replace(/\n+$/, ""))
          .split("\n")
          .flatMap((line) => tableRows(line, width)),
      ];
    case "question":
      return wholeQuestion(block.pending, sheet);
    default:
      return noticeRows(block, sheet);
  }
}

/** Returns whether a blank row separates two blocks: consecutive calls have none. */
function hasGap(before: Block | undefined, block: Block): boolean {
  if (before === undefined) return false;
  const isCall = ({ kind }: Block): boolean => kind === "call" || kind === "calls";
  return !(isCall(before) && isCall(block)) && !(before.kind === "notice" && block.kind === "notice");
}

type Of<Kind extends Block["kind"]> = Extract<Block, { readonly kind: Kind }>;

function callRows(block: Of<"call">, { width, paint }: Sheet): readonly string[] {
  const { head, summary, answer, text } = callRow(block, paint);
  const room = Math.max(10, width - visibleWidth(head));
  if (block.isExpanded) return [cut(head + summary, width), ...answerRows(block, text, { width, paint })];
  // Each part gets at least half of the room.
  const cutSummary = cut(summary, Math.max(Math.floor(room / 2), room - visibleWidth(answer) - 1));
  const row = cut(`${head}${cutSummary}${cutSummary === "" ? "" : " "}${answer}`, width);
  const diff = /^--- .*\n\+\+\+ [^]*/m.exec(text)?.[0] ?? block.change;
  return diff === undefined || !block.result.ok ? [row] : [row, ...diffRows(diff, { width, paint })];
}

function answerRows({ isWhole }: Of<"call">, text: string, { width, paint }: Sheet): readonly string[] {
  const rows = textRows(text, width, "  ");
  const hidden = rows.length - EXPANDED_LINES;
  if (hidden <= 0 || isWhole === true) return rows;
  const more = `  … ${hidden} more rows, Ctrl-O prints all`;
  return [...rows.slice(0, EXPANDED_LINES), cut(paint("dim", more), width)];
}

/** Messages of more lines are folded: the editor folds the pastes that are as long. */
const MAX_PROMPT_LINES = 10;
const FOLDED_LINES = 3;

/** Returns the rows of a message; of a long one the first lines, and the number of the others. */
function promptRows(text: string, { width, paint }: Sheet, mark: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.length <= MAX_PROMPT_LINES) return textRows(text, width, mark);
  const first = textRows(lines.slice(0, FOLDED_LINES).join("\n"), width, mark);
  const more = `  … ${lines.length - FOLDED_LINES} more lines, which were sent too`;
  return [...first, cut(paint("dim", more), width)];
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

/** The share of the width that the columns before the last may take. */
const MAX_MARGIN = 0.6;

/** Wraps a line of a command's output; of a table, its last column below itself. */
function tableRows(line: string, width: number): readonly string[] {
  const [, margin = ""] = /^(.*\S {2,})\S/.exec(line) ?? [];
  const isTable = margin !== "" && visibleWidth(margin) <= width * MAX_MARGIN;
  return isTable ? wrap(line.slice(margin.length), width, margin) : wrap(line, width);
}
