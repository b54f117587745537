import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerText } from "../state/summary.ts";
import { openTestRepl, told, type TestRepl } from "../../../../test/support/programs/repl.ts";

const YES = { text: "Yes.", repeat: true };
/** A picture of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function answered(repl: TestRepl): Promise<unknown> {
  return repl.until("the answer", (state) => told(state).includes("markdown: Yes."));
}

/** Waits until a typed command has ended. */
function ran(repl: TestRepl, summary: string): Promise<unknown> {
  return repl.until(
    "the command",
    (state) =>
      state.command === undefined &&
      state.blocks.some((block) => block.kind === "call" && block.summary === summary && block.isExpanded),
  );
}

test("!command runs without a question, shows its whole output, and the next message has it", async (t) => {
  const repl = openTestRepl(t, [{ ...YES, when: "The user ran a command in the shell: touch made.txt" }]);
  repl.send("!touch made.txt; echo one; echo two; exit 3");
  await ran(repl, "touch made.txt; echo one; echo two; exit 3");
  assert.ok(existsSync(join(repl.folder, "made.txt")));
  assert.deepEqual(repl.store.get().typedCalls, []);
  repl.send("hello");
  await answered(repl);
  const said = told(repl.store.get()).find((line) => line.startsWith("prompt")) ?? "";
  assert.match(said, /^prompt: hello\n\+ The user ran a command in the shell: touch made\.txt/);
});

test("a rule that denies a command holds when a person types it", async (t) => {
  const repl = openTestRepl(t, [YES], { mode: "plan" });
  repl.send("!touch made.txt");
  await ran(repl, "touch made.txt");
  assert.ok(told(repl.store.get()).includes("failed: shell touch made.txt"));
  assert.ok(!existsSync(join(repl.folder, "made.txt")));
});

test("a model cannot name its call so that it passes for a typed one", async (t) => {
  const ids: string[] = [];
  const call = (id: string) => ({ id, name: "shell", input: { command: "touch made.txt" } });
  const repl = openTestRepl(t, [{ calls: [call("typed-1")] }, YES]);
  repl.send("!true");
  await ran(repl, "true");
  for (const block of repl.store.get().blocks) if (block.kind === "call") ids.push(block.result.callId);
  const again = openTestRepl(t, [{ calls: ids.map(call) }, YES]);
  for (const one of [repl, again]) {
    one.send("go");
    await one.until("the question", ({ approvals }) => approvals.length > 0);
    assert.ok(!existsSync(join(one.folder, "made.txt")));
  }
});

test("@file attaches the file, also with a quoted name and before a comma, and images as images", async (t) => {
  const repl = openTestRepl(t, [{ ...YES, when: "a - b" }]);
  writeFileSync(join(repl.folder, "sum.ts"), "a - b\n");
  writeFileSync(join(repl.folder, "my notes.md"), "remember\n");
  writeFileSync(join(repl.folder, "dot.png"), PNG);
  repl.send('compare @"my notes.md", @dot.png and @sum.ts, mind @someone');
  await answered(repl);
  const lines = told(repl.store.get());
  assert.ok(lines.includes("notice: no such file, sent as text: @someone"));
  assert.deepEqual(lines.find((line) => line.startsWith("prompt"))?.split("\n"), [
    'prompt: compare @"my notes.md", @dot.png and @sum.ts, mind @someone',
    "+ File my notes.md",
    `+ dot.png (image/png, ${PNG.length} bytes)`,
    `+ [image, image/png, ${PNG.length} bytes]`,
    "+ File sum.ts",
  ]);
});

test("@folder attaches its listing, and @file:2-3 only these lines", async (t) => {
  const repl = openTestRepl(t, [YES]);
  mkdirSync(join(repl.folder, "src"));
  writeFileSync(join(repl.folder, "src", "a.ts"), "first\nsecond\nthird\nfourth\n");
  writeFileSync(join(repl.folder, "odd:1"), "odd\n");
  repl.send("look at @src/ and @src/a.ts:2-3, and @odd:1");
  await answered(repl);
  const answers = repl.store
    .get()
    .blocks.flatMap((block) => (block.kind === "call" ? answerText(block.result) : []));
  assert.match(answers[0] ?? "", /a\.ts/);
  assert.match(answers[1] ?? "", /second[^]*third/);
  assert.ok(!/fourth|first/.test(answers[1] ?? ""), answers[1]);
  assert.match(answers[2] ?? "", /odd/);
  assert.match(told(repl.store.get()).join("\n"), /\+ Folder src\/\n\+ File src\/a\.ts:2-3\n\+ File odd:1/);
});

test("a binary file after @ is refused, and nothing is sent", async (t) => {
  const repl = openTestRepl(t, [YES]);
  writeFileSync(join(repl.folder, "data.bin"), Buffer.from([0, 1, 2, 3, 0]));
  repl.send("read @data.bin");
  const state = await repl.until("the refusal", ({ blocks }) => blocks.at(-1)?.kind === "notice");
  assert.match(told(state).at(-1) ?? "", /@data\.bin cannot be attached: .*binary/);
  assert.ok(!told(state).some((line) => line.startsWith("prompt")));
});

for (const word of ["exit", "quit"])
  test(`"${word}" leaves`, async (t) => {
    const repl = openTestRepl(t, [YES]);
    repl.send(word);
    assert.equal(await repl.left, 0);
  });
