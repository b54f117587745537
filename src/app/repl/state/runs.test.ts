import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FIRST_STATE,
  foldRuns,
  showMore,
  withBlock,
  withCall,
  withNotice,
  type Block,
  type CallBlock,
  type ReplState,
} from "./repl-state.ts";
import { createPaint } from "../../terminal/print/paint.ts";
import { runRow } from "../view/call.ts";

const finishedRead = (index: number, extra: object = {}): CallBlock => ({
  kind: "call",
  summary: `file${index}.ts`,
  result: {
    ok: true,
    callId: `r${index}`,
    name: index % 3 === 0 ? "grep" : "read_file",
    content: [{ type: "text", text: "x" }],
    meta: { startedAt: 0, durationMs: 1, place: "in-process", attempts: 1, source: "built-in" },
  },
  durationMs: 1,
  isOfChild: false,
  isExpanded: false,
  ...extra,
});

test("a long run of calls that only read becomes one block, a short one stays as it is", () => {
  const runOf = (count: number): ReplState =>
    Array.from({ length: count }, (_, index) => finishedRead(index)).reduce(
      (state, call) => withCall(state, call, true),
      FIRST_STATE,
    );
  const kindsOf = (state: ReplState): readonly string[] => state.blocks.map(({ kind }) => kind);
  assert.deepEqual(kindsOf(runOf(9)), [], "more may follow");
  assert.deepEqual(
    kindsOf(withBlock(runOf(5))),
    Array.from({ length: 5 }, () => "call"),
  );
  const long = withNotice(runOf(6), "info", "next");
  assert.deepEqual(kindsOf(long), ["calls", "notice"]);
  assert.equal(long.run.length, 0);
  assert.deepEqual(kindsOf(showMore(withBlock(runOf(6)))), [
    "calls",
    ...Array.from({ length: 6 }, () => "call"),
  ]);
});

test("a call that changed something, failed, or is of another kind ends a run", () => {
  const six = Array.from({ length: 6 }, (_, index) => index).reduce(
    (state, index) => withCall(state, finishedRead(index), true),
    FIRST_STATE,
  );
  for (const next of [
    withCall(six, finishedRead(7, { change: "+a" }), true),
    withCall(six, finishedRead(7), false),
    withCall(six, finishedRead(7, { isExpanded: true }), true),
  ])
    assert.deepEqual(
      next.blocks.map(({ kind }) => kind),
      ["calls", "call"],
    );
  const child = withCall(six, finishedRead(7, { isOfChild: true, agent: "scout" }), true);
  assert.deepEqual([child.blocks.length, child.run.length], [1, 1]);
});

test("the line of a run has the number of its calls, and the tools", () => {
  const calls = Array.from({ length: 7 }, (_, index) => finishedRead(index));
  const row = runRow(calls, createPaint({ isColoured: false }));
  assert.equal(row, "✓ 7 calls 1 ms grep ×3, read_file ×4 → Ctrl-O lists them");
});

test("folding the blocks of a stored conversation gives what showing them one by one gave", () => {
  const extras = [{}, {}, {}, { agent: "a", isOfChild: true }, { change: "+a" }, { isExpanded: true }];
  const blocks = Array.from({ length: 400 }, (_, index): Block => {
    // Runs of many lengths, in a fixed order that looks random.
    const at = (index * index + 7 * index) % 31;
    return at === 0 ? { kind: "prompt", text: `${index}` } : finishedRead(index, extras[at % 23] ?? {});
  });
  for (const isAllReading of [true, false]) {
    const reads = (tool: string): boolean => isAllReading || tool === "read_file";
    const oneByOne = blocks.reduce(
      (state, block) =>
        block.kind === "call" ? withCall(state, block, reads(block.result.name)) : withBlock(state, block),
      FIRST_STATE,
    );
    const folded = foldRuns(blocks, reads);
    assert.deepEqual(folded, withBlock(oneByOne).blocks);
    assert.ok(!isAllReading || folded.some(({ kind }) => kind === "calls"));
  }
});
