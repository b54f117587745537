import type { Block } from "../state/repl-state.ts";
import type { Paint } from "../../terminal/print/paint.ts";
import { blockRows, hasGap } from "./blocks.ts";
import { cut } from "./rows.ts";

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
