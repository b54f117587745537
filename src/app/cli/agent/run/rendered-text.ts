import { markdownRows } from "../../../repl/view/markdown.ts";
import { splitSettled } from "../../../repl/text/split-settled.ts";
import type { Sheet } from "../../../repl/view/rows.ts";

/** Prints Markdown that arrives in pieces as the REPL shows it: each block once it is complete. `print` gets rows without control characters but colours. */
export function createRenderedText(print: (text: string) => void, sheetOf: () => Sheet) {
  let rest = "";
  let hasBlocks = false;
  const show = (block: string): void => {
    if (block.trim() === "") return;
    const rows = markdownRows(block, sheetOf());
    print(`${hasBlocks ? "\n" : ""}${rows.join("\n")}\n`);
    hasBlocks = true;
  };
  return {
    add(text: string): void {
      const { settled, rest: open } = splitSettled(rest + text);
      rest = open;
      for (const block of settled) show(block);
    },
    /** Prints what is left; the next text begins a block of its own. */
    end(): void {
      show(rest);
      rest = "";
    },
  };
}

export type RenderedText = ReturnType<typeof createRenderedText>;
