import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { testConversation } from "../../../test/support/agents/conversation.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { engineOf, say } from "../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { provide } from "../../core/context.ts";
import { ConversationKey } from "../../core/agent/conversation.ts";
import type { JsonObject } from "../../core/json.ts";
import { writeMemoryDump } from "./write-memory-dump.ts";

function place(t: TestContext) {
  const folder = join(temporaryFolder(t), "dumps");
  const conversation = testConversation([
    { role: "user", text: "Do it.\n## Not a heading" },
    { role: "assistant", text: "Done." },
  ]);
  const engine = engineOf(t, { mode: "auto", tools: [say("plain"), writeMemoryDump(folder)] });
  const context = [provide(ConversationKey, conversation)];
  const run = (input: JsonObject) => engine.run(call("write_memory_dump", input), { session: "s", context });
  const write = async (input: JsonObject): Promise<string> => {
    const result = await run(input);
    assert.equal(codeOf(result), "ok", textOf(result));
    assert.ok(result.ok);
    return (result.data as { readonly path: string }).path;
  };
  return { folder, run, write, conversation };
}

test("content is written as it is, into a file that only its owner can read", async (t) => {
  const { folder, write } = place(t);
  const path = await write({ content: "what I know", filename: "notes.txt" });
  assert.equal(path, join(folder, "notes.txt"));
  assert.equal(readFileSync(path, "utf8"), "what I know");
  assert.deepEqual([statSync(path).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700]);
});

test("without content the session is written: goals, decisions, active tools and messages, these quoted", async (t) => {
  const { write } = place(t);
  const text = readFileSync(await write({}), "utf8");
  assert.match(text, /^# Session dump\n\nSession s, \d{4}-.*Z\n/);
  assert.match(text, /## Goals\n\n- ship it\n/);
  assert.match(text, /## Decisions\n\n- use SQLite\n {2}because it is there\n/);
  assert.match(text, /## Active tools\n\n- no group: plain\n- memory: write_memory_dump\n/);
  assert.match(text, /### 1\. user\n\n> Do it\.\n> ## Not a heading\n\n### 2\. assistant\n\n> Done\.\n/);
});

test("an empty session can be written too", async (t) => {
  const { write, conversation } = place(t);
  conversation.said.length = 0;
  assert.match(readFileSync(await write({}), "utf8"), /## Messages\n\nnone\n/);
});

test("nothing is overwritten: a name that exists gets a number", async (t) => {
  const { folder, write } = place(t);
  const paths = await Promise.all([1, 2, 3].map((n) => write({ content: `${n}`, filename: "a.md" })));
  assert.deepEqual(paths.map((path) => basename(path)).sort(), ["a-2.md", "a-3.md", "a.md"]);
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  assert.deepEqual(texts.sort(), ["1", "2", "3"]);
});

for (const [filename, expected] of [
  ["../../etc/passwd", "etc-passwd.md"],
  ["/abs/name.txt", "abs-name.txt"],
  ["a\\b\0c.md", "a-b-c.md"],
  [".bashrc", "bashrc.md"],
  ["notes of today", "notes-of-today.md"],
  ["résumé.md", "résumé.md"],
  ["\u{202e}gpj.exe", "gpj.exe"],
  ["a.tar.gz", "a.tar.gz"],
] as const) {
  test(`the filename ${JSON.stringify(filename)} becomes ${expected}, in the folder and nowhere else`, async (t) => {
    const { folder, write } = place(t);
    const path = await write({ content: "x", filename });
    assert.equal(path, join(folder, expected));
  });
}

test("a filename of nothing but dots, or of any length, still gives a file", async (t) => {
  const { folder, write } = place(t);
  for (const filename of ["...", "..", "", "/", "x".repeat(5000), `${"𝒜".repeat(200)}.md`]) {
    const path = await write({ content: "x", filename });
    assert.equal(dirname(path), folder);
    assert.ok(existsSync(path) && Buffer.byteLength(basename(path)) <= 255);
  }
});

test("a link in the way is not followed", async (t) => {
  const { folder, write } = place(t);
  const target = join(dirname(folder), "target");
  writeFileSync(target, "kept");
  mkdirSync(folder);
  symlinkSync(target, join(folder, "a.md"));
  assert.equal(await write({ content: "x", filename: "a.md" }), join(folder, "a-2.md"));
  assert.equal(readFileSync(target, "utf8"), "kept");
});

test("a folder that cannot be written to is a failure that says so", async (t) => {
  const { folder, run } = place(t);
  writeFileSync(folder, "a file where the folder should be");
  const result = await run({ content: "x" });
  assert.equal(codeOf(result), "TOOL_FAILED");
  assert.match(textOf(result), /cannot write a dump to/);
});
