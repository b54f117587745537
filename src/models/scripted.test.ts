import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ToolError } from "../core/errors.ts";
import type { Model } from "../core/agent/model.ts";
import { collect, requestOf, userMessage, textIn } from "../../test/support/models/provider-model.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { openModel } from "./open-model.ts";

function scripted(t: TestContext, ...lines: readonly (object | string)[]): Promise<Model> {
  const path = join(temporaryFolder(t), "story.jsonl");
  writeFileSync(
    path,
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  return openModel(`scripted/${path}`, { environment: {} });
}

async function refused(attempt: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ToolError);
  return error;
}

test("a script needs no environment", async (t) => {
  const path = join(temporaryFolder(t), "story.jsonl");
  writeFileSync(path, '{"text":"hi"}');
  for (const options of [undefined, {}])
    assert.equal((await openModel(`scripted/${path}`, options as never)).id, `scripted/${path}`);
});

test("a script is answered line by line, in small deltas, with its calls", async (t) => {
  const model = await scripted(
    t,
    {
      reasoning: "First I look around 😀.",
      text: "I shall look at the files.",
      calls: [{ name: "ls", input: { path: "src" } }],
    },
    "",
    { text: "Done.", usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 1 } },
  );
  const { parts, done } = await collect(model);
  assert.equal(textIn(parts, "text"), "I shall look at the files.");
  assert.equal(textIn(parts, "reasoning"), "First I look around 😀.");
  assert.ok(parts.length > 5);
  assert.deepEqual(done.parts, [
    { type: "reasoning", text: "First I look around 😀." },
    { type: "text", text: "I shall look at the files." },
    { type: "call", call: { id: "call_1_1", name: "ls", input: { path: "src" } } },
  ]);
  assert.equal(done.reason, "calls");
  assert.ok(done.usage.inputTokens > 0 && done.usage.outputTokens > 0);
  const second = await collect(model);
  assert.equal(second.done.reason, "stop");
  assert.deepEqual(second.done.usage, { inputTokens: 7, outputTokens: 3, cachedTokens: 1 });
});

test("its id begins with scripted", async (t) => {
  const model = await scripted(t, { text: "Hi." });
  assert.match(model.id, /^scripted\/.*story\.jsonl$/);
});

test("a request after the last line fails", async (t) => {
  const model = await scripted(t, { text: "Only this." });
  await collect(model);
  const error = await refused(collect(model));
  assert.equal(error.code, "MODEL_FAILED");
  assert.match(error.message, /story\.jsonl is over/);
});

test("a last line with repeat answers all further requests, with a new id for each call", async (t) => {
  const model = await scripted(t, { text: "Once." }, { calls: [{ name: "ls", input: {} }], repeat: true });
  const ids: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const { done } = await collect(model);
    ids.push(...done.parts.flatMap((part) => (part.type === "call" ? [part.call.id] : [])));
  }
  assert.deepEqual(ids, ["call_2_1", "call_3_1", "call_4_1"]);
});

test("a line whose `when` does not match fails with its position and the last message", async (t) => {
  const model = await scripted(t, "", { text: "Hi.", when: "weather" }, { text: "Hi.", when: "Bergen" });
  await collect(model);
  const error = await refused(collect(model));
  assert.equal(error.code, "MODEL_FAILED");
  assert.match(error.message, /story\.jsonl:3: .*"Bergen"/);
  assert.match(error.hint ?? "", /weather in Oslo/);
});

test("`when` matches the results of tools", async (t) => {
  const model = await scripted(t, { text: "Hi.", when: "twelve degrees" });
  const meta = { startedAt: 0, durationMs: 1, place: "host", attempts: 1, source: "test" } as const;
  const content = [{ type: "text", text: "twelve degrees" }] as const;
  const results = [{ callId: "1", name: "w", ok: true, content, meta }] as const;
  await collect(model, requestOf({ messages: [userMessage("?"), { role: "tool", results }] }));
});

test("errors of a script are thrown with their codes", async (t) => {
  const model = await scripted(
    t,
    { error: "no luck" },
    { error: { code: "UNAVAILABLE", message: "gone" } },
    { text: "Back." },
  );
  const first = await refused(collect(model));
  assert.deepEqual([first.code, first.message], ["MODEL_FAILED", "no luck"]);
  assert.equal((await refused(collect(model))).code, "UNAVAILABLE");
  assert.equal((await collect(model)).done.reason, "stop");
});

test("a call may be unreadable, and an answer may be cut off", async (t) => {
  const model = await scripted(t, {
    calls: [{ name: "ls", input: "{oh", unreadable: "no JSON" }],
    reason: "length",
  });
  const { done } = await collect(model);
  assert.deepEqual(done.parts, [
    { type: "call", call: { id: "call_1_1", name: "ls", input: "{oh", unreadable: "no JSON" } },
  ]);
  assert.equal(done.reason, "length");
});

test("a script may have its calls in its text", async (t) => {
  const path = join(temporaryFolder(t), "text.jsonl");
  writeFileSync(
    path,
    JSON.stringify({ text: '<tool_call>{"name": "list_cities", "arguments": {}}</tool_call>' }),
  );
  const model = await openModel(`scripted/${path}`, { environment: {}, dialect: "hermes" });
  const { done } = await collect(model);
  assert.deepEqual([done.reason, done.parts.map(({ type }) => type)], ["calls", ["call"]]);
});

test("cancelling ends a delay at once", async (t) => {
  const model = await scripted(t, { text: "Late.", delayMs: 3_600_000 });
  const cancelling = new AbortController();
  setImmediate(() => cancelling.abort());
  const error = await refused(collect(model, requestOf({ signal: cancelling.signal })));
  assert.equal(error.code, "CANCELLED");
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ["{oops", /story\.jsonl:2: the line is not JSON/],
  ["[1]", /story\.jsonl:2: the document: expected object, got array/],
  ['{"txt": "a"}', /story\.jsonl:2: unknown key "txt"/],
  ['{"text": 1}', /story\.jsonl:2: text: expected string, got integer 1/],
  ['{"calls": [{"name": "ls"}]}', /story\.jsonl:2: calls\[0\]\.input is missing/],
  ['{"calls": [{"name": "ls", "input": {}, "args": "x"}]}', /:2: calls\[0\]: unknown key "args"/],
  [
    '{"usage": {"inputTokens": -1, "outputTokens": 0}}',
    /:2: usage\.inputTokens: expected .*0.*, got integer -1/,
  ],
  ['{"delayMs": 1.5}', /:2: delayMs: expected integer/],
  ['{"error": {"code": "NOPE", "message": "x"}}', /:2: error/],
  ['{"reason": "tired"}', /:2: reason: expected one of "stop"/],
];

for (const [line, message] of WRONG) {
  test(`${line} is rejected with its line number`, async (t) => {
    const error = await refused(scripted(t, { text: "fine" }, line));
    assert.equal(error.code, "INVALID_INPUT");
    assert.match(error.message, message);
  });
}

test("repeat before the last line, an empty script and a missing file are rejected", async (t) => {
  assert.match(
    (await refused(scripted(t, { text: "a", repeat: true }, { text: "b" }))).message,
    /:1: only the last answer/,
  );
  assert.match((await refused(scripted(t, "", ""))).message, /there is no answer/);
  const missing = await refused(openModel("scripted/none/such.jsonl", { environment: {} }));
  assert.deepEqual(
    [missing.code, /none\/such\.jsonl .*ENOENT/.test(missing.message)],
    ["INVALID_INPUT", true],
  );
});
