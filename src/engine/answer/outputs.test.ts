import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { Reply, image, type Shape } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { list, object, oneOf, string } from "../../schema/define/schema.ts";
import { createMemoryArtifacts, createMemoryJournal } from "../../store/in-memory.ts";
import { createEngine } from "../engine.ts";

const LIMIT = 32 * 1024;

function answer(run: () => unknown, shape: Shape = "text"): Promise<ToolResult> {
  const tool = defineTool({ name: "t", description: "d", risk: "low", limits: { shape }, run });
  return createEngine({ tools: [tool], artifacts: createMemoryArtifacts() }).run(call("t"));
}

function fail(thrown: unknown): Promise<ToolResult> {
  return answer(() => {
    throw thrown;
  });
}

test("a failure of 5 MB is cut like a success, and says so", async () => {
  const result = await fail(new Error("x".repeat(5_000_000)));
  assert.ok(JSON.stringify(result).length < LIMIT);
  assert.match(textOf(result), /\[truncated: the first 5\.0 KB of 4882\.8 KB shown; /);
  const hinted = await fail(new ToolError("TOOL_FAILED", "short", { hint: "y".repeat(5_000_000) }));
  assert.ok(JSON.stringify(hinted).length < LIMIT);
});

test("20 000 problems of an input, and a name of 1 MB, give a short answer", async () => {
  const input = z.object({ list: z.array(z.string().refine(() => false, "no")) });
  const tool = defineTool({ name: "t", description: "d", risk: "low", input, run: () => "ran" });
  const engine = createEngine({ tools: [tool] });
  const many = await engine.run(call("t", { list: Array.from({ length: 20_000 }, () => "x") }));
  assert.equal(codeOf(many), "INVALID_INPUT");
  assert.ok(JSON.stringify(many).length < LIMIT);
  const unknown = await engine.run(call("n".repeat(1_000_000)));
  assert.ok(textOf(unknown).length < 1000, textOf(unknown).slice(0, 1000));
});

test("the code of the cause is in the message, and the stacks are only for the host", async () => {
  const journal = createMemoryJournal();
  const cause = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
  const tool = defineTool({
    name: "t",
    description: "d",
    risk: "low",
    run: () => {
      throw new TypeError("fetch failed", { cause });
    },
  });
  const secret = "hunter2-hunter2";
  cause.stack = `Error: connect failed ${secret}\n    at somewhere`;
  const engine = createEngine({ tools: [tool], journal, secrets: [secret] });
  const result = await engine.run(call("t"));
  assert.equal(textOf(result), "Error: fetch failed: ECONNREFUSED");
  assert.equal(codeOf(result), "UNAVAILABLE");
  assert.match(
    result.meta.stack ?? "",
    /TypeError: fetch failed\n[^]*outputs\.test[^]*\ncaused by Error: connect/,
  );
  assert.doesNotMatch(JSON.stringify([result, { ...result.meta }]), /stack|outputs\.test|hunter2/);
  const [stored] = await journal.list();
  assert.equal(stored?.trace?.stack, result.meta.stack);
  assert.ok(result.meta.stack?.includes(secret) === false);
  const own = await fail(new ToolError("TOOL_FAILED", "expected"));
  assert.equal(own.meta.stack, undefined);
});

for (const [what, thrown, text] of [
  ["an object with a message", { message: "no luck" }, "Error: no luck"],
  ["a number", 42, "Error: the tool threw 42"],
  ["a string", "no luck", "Error: no luck"],
  ["an error of another realm", runInNewContext('new RangeError("too far")'), "Error: too far"],
  ["nothing", undefined, "Error: the tool failed without a message"],
] as const)
  test(`${what} that is thrown is read`, async () => assert.equal(textOf(await fail(thrown)), text));

test("a ToolError of a second copy of the package has its code and hint", async () => {
  const copy = Object.assign(new Error("gone"), { name: "ToolError", code: "UNAVAILABLE", hint: "wait" });
  const result = await fail(copy);
  assert.deepEqual([codeOf(result), textOf(result)], ["UNAVAILABLE", "Error: gone\nwait"]);
});

for (const [what, make, advice] of [
  ["an Error", () => new Error("x"), /throw it/],
  ["a Response", () => new Response("x"), /response\.text\(\)/],
  ["a Blob", () => new Blob(["x"]), /arrayBuffer/],
  ["a RegExp", () => /x/, /its source/],
  ["a Map", () => new Map([[1, 2]]), /Object\.fromEntries/],
  [
    "a Generator",
    function* () {
      yield 1;
    },
    /async generator/,
  ],
  ["a bigint", () => 10n, /String\(value\)/],
  ["an iterator", () => [1].values(), /\[\.\.\.iterator\]/],
] as const)
  for (const where of ["alone", "in a field"])
    test(`${what} that is returned ${where} is refused with advice`, async () => {
      const result = await answer(() => (where === "alone" ? make() : { field: make() }));
      assert.equal(codeOf(result), "INVALID_OUTPUT");
      assert.match(textOf(result), advice);
    });

for (const content of [
  undefined,
  [{ type: "nope" }],
  [{ type: "text" }],
  [null],
  [{ type: "image", data: 5 }],
])
  test(`a Reply with the content ${JSON.stringify(content)} is refused`, async () => {
    const result = await answer(() => new Reply(content as never));
    assert.equal(codeOf(result), "INVALID_OUTPUT");
    assert.match(textOf(result), /the content of the Reply is not valid/);
  });

const PNG = Buffer.from("89504e470d0a1a0a0000000d", "hex");

test("bytes become text, an image or a file", async () => {
  assert.deepEqual((await answer(() => Buffer.from("grüß dich"))).content, [
    { type: "text", text: "grüß dich" },
  ]);
  const data = PNG.toString("base64");
  assert.deepEqual((await answer(() => new Uint8Array(PNG))).content, [
    { type: "image", data, mimeType: "image/png" },
  ]);
  assert.deepEqual((await answer(() => Buffer.from([0, 255]))).content, [
    { type: "file", data: "AP8=", mimeType: "application/octet-stream" },
  ]);
});

test("a list of texts and images becomes content; a list of texts alone stays data", async () => {
  const chart = image(PNG, "image/png");
  assert.deepEqual((await answer(() => ["the chart:", chart])).content, [
    { type: "text", text: "the chart:" },
    chart,
  ]);
  const texts = await answer(() => ["a", "b"]);
  assert.deepEqual(texts.ok && texts.data, ["a", "b"]);
});

test("lone surrogates are escaped in text and errors, and replaced in data", async () => {
  for (const result of [await answer(() => "a\ud800b"), await fail(new Error("a\ud800b"))])
    assert.match(textOf(result), /a\\u\{d800\}b/);
  const result = await answer(() => ({ text: "a\ud800b", whole: "😀" }));
  assert.deepEqual(result.ok && result.data, { text: "a\ufffdb", whole: "😀" });
  assert.equal(textOf(result), '{"text":"a\ufffdb","whole":"😀"}');
});

test("a long text, and a text of items, are checked against the output schema as a whole, not as cut", async () => {
  for (const shape of ["text", "log", "list", "matches"] as const) {
    for (const lines of [2, 50_000]) {
      const run = (): string => "line\n".repeat(lines);
      const tool = defineTool({
        name: "t",
        description: "d",
        risk: "low",
        output: { type: "string" },
        limits: { shape },
        run,
      });
      const result = await createEngine({ tools: [tool] }).run(call("t"));
      assert.equal(result.ok, true, `${shape}, ${lines}: ${textOf(result)}`);
      assert.equal(result.meta.truncated !== undefined, lines > 2);
    }
  }
});

test("an approver's missing reason is not shown as undefined", async () => {
  const tool = defineTool({ name: "t", description: "d", run: () => "ran" });
  for (const reason of [undefined, ""]) {
    const approver = { ask: () => Promise.resolve({ approved: false, reason } as never) };
    const text = textOf(await createEngine({ tools: [tool], approver }).run(call("t")));
    assert.match(text, /^Error: The call was declined\. Nothing was run\.$/m);
    assert.doesNotMatch(text, /undefined/);
  }
});

test("an array of shape list is cut by its items, and says so", async () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `row ${id}` }));
  const result = await answer(() => rows, "list");
  assert.ok(result.ok && Array.isArray(result.data));
  assert.deepEqual(
    [result.data.length, (result.data as readonly Json[])[0]],
    [500, { id: 0, name: "row 0" }],
  );
  assert.match(textOf(result), /\[truncated: the first 500 of 2000 items shown; read the rest with/);
  assert.equal(result.meta.truncated?.total, 2000);
  const few = await answer(() => rows.slice(0, 400), "list");
  assert.equal(few.ok && (few.data as readonly Json[]).length, 400);
  assert.doesNotMatch(textOf(few), /truncated/);
});

test(
  "an async iterable that never waits is ended by its deadline and by cancellation",
  { timeout: 60_000 },
  async () => {
    let ended = 0;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield "x";
      } finally {
        ended += 1;
      }
    }
    const tool = defineTool({ name: "t", description: "d", risk: "low", run: endless });
    const engine = createEngine({ tools: [tool] });
    assert.equal(codeOf(await engine.run(call("t"), { timeoutMs: 50 })), "TOOL_TIMEOUT");
    const controller = new AbortController();
    const running = engine.run(call("t"), { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    assert.equal(codeOf(await running), "CANCELLED");
    assert.equal(ended, 2);
  },
);

test("an output that does not match its schema is described as an output", async () => {
  const output = { type: "object", properties: { sum: { type: "integer" } }, additionalProperties: false };
  const outputOf = async (value: Json): Promise<string> => {
    const tool = defineTool({ name: "t", description: "d", risk: "low", output, run: () => value });
    return textOf(await createEngine({ tools: [tool] }).run(call("t")));
  };
  assert.match(await outputOf([1]), /the output: expected object/);
  assert.match(await outputOf({ sum: "1" }), /sum: expected integer/);
});

const ROW = { id: "1", secret_column: 2, tags: [{ name: "a", extra: 1 }], by: { kind: "user", age: 3 } };
const CLEAN = { id: "1", tags: [{ name: "a" }], by: { kind: "user" } };
const zodRow = z.object({
  id: z.string(),
  tags: z.array(z.object({ name: z.string() })),
  by: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("user") }),
    z.object({ kind: z.literal("bot"), model: z.string() }),
  ]),
});
const builtRow = object({
  id: string(),
  tags: list(object({ name: string() })),
  by: oneOf([object({ kind: oneOf(["user"]) }), object({ kind: oneOf(["bot"]), model: string() })]),
});
for (const [library, output] of [
  ["Zod", zodRow],
  ["the builder", builtRow],
] as const) {
  test(`properties that an output of ${library} does not have are removed, and the tool's own value stays`, async () => {
    const row = structuredClone(ROW);
    for (const run of [() => row, () => new Reply("a row", { data: row })]) {
      const tool = defineTool({ name: "t", description: "d", reading: true, output, run: run as never });
      const result = await createEngine({ tools: [tool] }).run(call("t"));
      assert.deepEqual(result.ok && result.data, CLEAN);
      assert.deepEqual(row, ROW);
    }
  });
}

test("an output that lacks a property, or has one of another type, is INVALID_OUTPUT despite unknown ones", async () => {
  for (const data of [{ extra: 1 }, { a: "1", extra: 1 }]) {
    const output = z.object({ a: z.number() });
    const tool = defineTool({ name: "t", description: "d", reading: true, output, run: () => data as never });
    const result = await createEngine({ tools: [tool] }).run(call("t"));
    assert.equal(codeOf(result), "INVALID_OUTPUT");
    assert.doesNotMatch(textOf(result), /extra/);
  }
});
