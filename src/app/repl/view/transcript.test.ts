import assert from "node:assert/strict";
import { test } from "node:test";
import { createPaint } from "../../terminal/print/paint.ts";
import { FIRST_STATE, showMore, withBlock, type Block } from "../state/repl-state.ts";
import { createTranscript } from "./transcript.ts";

const SIZE = { width: 80, rows: 1000 };
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

function rowsOf(blocks: readonly Block[]): readonly string[] {
  return createTranscript(createPaint({ isColoured: false })).rows(blocks, SIZE);
}

function call(lines: number, isExpanded: boolean): Extract<Block, { kind: "call" }> {
  return {
    kind: "call",
    summary: "npm test",
    result: {
      ok: true,
      callId: `c${lines}`,
      name: "shell",
      content: [{ type: "text", text: numbered(lines) }],
      meta: { startedAt: 0, durationMs: 1, place: "in-process", attempts: 1, source: "built-in" },
    },
    durationMs: 1,
    isOfChild: false,
    isExpanded,
  };
}

test("Ctrl-O prints all rows of the last answer, also of one that was shown in part", () => {
  for (const isExpanded of [false, true]) {
    const state = withBlock(FIRST_STATE, call(500, isExpanded));
    assert.equal(rowsOf(state.blocks).includes("  … 460 more rows, Ctrl-O prints all"), isExpanded);
    const more = showMore(state);
    assert.deepEqual(
      rowsOf(more.blocks.slice(-1)).slice(1),
      numbered(500)
        .split("\n")
        .map((row) => `  ${row}`),
    );
    assert.equal(showMore(more), more, "it is shown already");
  }
});

test("Ctrl-O skips an answer that is on the screen as a whole, and prints the one before", () => {
  const state = withBlock(FIRST_STATE, call(7, false), call(40, true));
  const last = showMore(state).blocks.at(-1);
  assert.equal(last?.kind === "call" && last.result.callId, "c7");
});

test("a long message is folded after it was sent, and a short one is not", () => {
  const rows = rowsOf([{ kind: "prompt", text: numbered(2000) }]);
  assert.deepEqual(rows, ["> line 1", "  line 2", "  line 3", "  … 1997 more lines, which were sent too"]);
  assert.equal(rowsOf([{ kind: "prompt", text: numbered(10) }]).length, 10);
});

test("the last column of a table is wrapped below itself, and other lines at the left edge", () => {
  const output = "Ctrl-O  print the whole question\nplain words that are too long here\n";
  const state: Block = { kind: "command", text: "/help", output };
  const rows = createTranscript(createPaint({ isColoured: false })).rows([state], { width: 24, rows: 50 });
  assert.deepEqual(rows, [
    "> /help",
    "Ctrl-O  print the whole",
    "        question",
    "plain words that are too",
    "long here",
  ]);
});
