import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { ToolResult } from "../../core/result.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { MASK } from "../../secrets/mask.ts";
import { SENDABLE_NOTE } from "../../util/text/sendable.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { createEngine } from "../engine.ts";

async function answer(value: unknown, { isUntrusted = false } = {}): Promise<ToolResult> {
  const tool = defineTool({ name: "t", description: "", risk: "low", isUntrusted, run: () => value });
  return createEngine({ tools: [tool] }).run(call("t"));
}

test("terminal escapes and invisible characters of an untrusted tool do not reach the model", async () => {
  const untrusted = { isUntrusted: true };
  assert.match(textOf(await answer("\u001b[31mred\u001b[0m\u202E", untrusted)), /^red\\u\{202e\}$/m);
  assert.match(textOf(await answer(new Reply("a\u0007b"), untrusted)), /^ab$/m);
  assert.match(textOf(await answer({ error: "a\u202Eb" }, untrusted)), /a\\u\{202e\}b/);
});

const EXACT =
  "\u001b[31mred\u001b[0m \f \b می\u200cخواهم 👩\u200d🚀 co\u00adop \u200f\u202E\u2028 \u0085 a\rb\r\n\ufeff";
test("text of any other tool reaches the model exactly, in an error and in JSON too", async () => {
  assert.equal(textOf(await answer(EXACT)), EXACT);
  assert.equal(textOf(await answer(new Reply(EXACT, { data: EXACT }))), EXACT);
  assert.equal(textOf(await answer(new Reply("", { items: [EXACT, EXACT] }))), `${EXACT}\n${EXACT}`);
  assert.deepEqual(JSON.parse(textOf(await answer({ text: EXACT }))), { text: EXACT });
  assert.equal(textOf(await answer({ error: EXACT })), `Error: ${EXACT}`);
});

test("what providers refuse is escaped, and a note says how", async () => {
  const { content } = await answer("a\0b\ud800c\udc00d 👍");
  assert.deepEqual(
    content.map((one) => one.type === "text" && one.text),
    ["a\\u{0}b\\u{d800}c\\u{dc00}d 👍", SENDABLE_NOTE],
  );
  assert.match(textOf(await answer({ error: "a\0" })), /^Error: a\\u\{0\}\n\[NUL/);
});

test("a secret that colours split is masked", async () => {
  const secret = "s3cr3t-v4lue";
  const tool = defineTool({
    name: "t",
    description: "",
    risk: "low",
    run: () => "a s3c\u001b[31mr3t-v4\u001b[0mlue, ghp_aaaaaaaaaa\u001b[1maaaaaaaaaaaaaaaaaa",
  });
  const result = await createEngine({ tools: [tool], secrets: [secret] }).run(call("t"));
  assert.equal(textOf(result), `a ${MASK}, ${MASK}`);
});

test("a secret in a key or in a file is masked in answers, events and the journal", async () => {
  const secret = "s3cr3t-v4lue";
  const data = Buffer.from(`the key is ${secret}`).toString("base64");
  const tool = defineTool({
    name: "t",
    description: "d",
    risk: "low",
    input: { type: "object" },
    run(input, { emit }) {
      emit({ message: "working", data: { [secret]: 1 } });
      if (input["fails"] === true) throw new ToolError("TOOL_FAILED", "no", { details: { [secret]: 1 } });
      const name = `${secret}.txt`;
      return new Reply([{ type: "file", data, mimeType: "text/plain", name }], { data: { [secret]: 1 } });
    },
  });
  const journal = createMemoryJournal();
  const events: unknown[] = [];
  const log = (event: unknown): void => void events.push(event);
  const engine = createEngine({ tools: [tool], journal, secrets: [secret], log });
  const inputs = [{ [secret]: 1 }, { fails: true }];
  const results = await engine.runAll(inputs.map((input) => call("t", input)));
  assert.deepEqual(results.map(codeOf), ["ok", "TOOL_FAILED"]);
  const all = JSON.stringify([results, events, await journal.list({})]);
  assert.equal(all.includes(secret), false);
});

test("the keys and the file of a masked answer are whole", async () => {
  const secret = "s3cr3t-v4lue";
  const run = (): unknown => ({ [secret]: 1, [MASK]: 2, plain: 3 });
  const data = Buffer.from(`the key is ${secret}`).toString("base64");
  const file = (): unknown => new Reply([{ type: "file", data, mimeType: "text/plain", name: "a.txt" }]);
  const tools = Object.entries({ run, file }).map(([name, one]) =>
    defineTool({ name, description: "d", risk: "low", run: one }),
  );
  const engine = createEngine({ tools, secrets: [secret] });
  const keys = await engine.run(call("run"));
  assert.deepEqual(keys.ok && keys.data, { [MASK]: 1, [`${MASK} 2`]: 2, plain: 3 });
  const [part] = (await engine.run(call("file"))).content;
  assert.ok(part?.type === "file" && part.name === "a.txt");
  assert.equal(Buffer.from(part.data, "base64").toString(), `the key is ${MASK}`);
});

test("a file that is no text stays as it is", async () => {
  const secret = "s3cr3t-v4lue";
  const data = Buffer.from(`%PDF-1.4 ${secret}`).toString("base64");
  const run = (): Reply => new Reply([{ type: "file", data, mimeType: "application/pdf" }]);
  const tool = defineTool({ name: "t", description: "d", risk: "low", run });
  const [part] = (await createEngine({ tools: [tool], secrets: [secret] }).run(call("t"))).content;
  assert.ok(part?.type === "file" && part.data === data);
});

test("many keys that become equal are told apart, in time that grows with their number", async () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `ghp_${String(index).padStart(30, "a")}`);
  const copied = copyJson(Object.fromEntries(keys.map((key) => [key, 1])), undefined, () => MASK);
  assert.equal(Object.keys(copied ?? {}).length, 20_000);
});
