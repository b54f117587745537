import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { Reply, image, type Shape } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object } from "../../schema/define/schema.ts";
import { createMemoryArtifacts } from "../../store/in-memory.ts";
import { createEngine } from "../engine.ts";

interface Shown {
  readonly isUntrusted?: boolean;
  readonly shape?: Shape;
  readonly output?: JsonObject;
}

async function answer(
  value: unknown,
  { shape = "text", output, isUntrusted = false }: Shown = {},
): Promise<ToolResult> {
  const tool = defineTool({
    name: "t",
    description: "",
    risk: "low",
    limits: { shape },
    isUntrusted,
    ...(output === undefined ? {} : { output }),
    run: () => value,
  });
  return createEngine({ tools: [tool], artifacts: createMemoryArtifacts() }).run(call("t"));
}

for (const [what, value, text, data] of [
  ["a string", "hello", "hello", undefined],
  ["an empty string", "", "", undefined],
  ["nothing", undefined, "", undefined],
  ["null", null, "null", null],
  ["a number", 5, "5", 5],
  ["an object", { a: 1 }, '{"a":1}', { a: 1 }],
  ["a list", [1, "x"], '[1,"x"]', [1, "x"]],
  [
    "a reply",
    new Reply("for the model", { data: { for: "programs" } }),
    "for the model",
    { for: "programs" },
  ],
  [
    "a date in an object",
    { at: new Date(0) },
    '{"at":"1970-01-01T00:00:00.000Z"}',
    { at: "1970-01-01T00:00:00.000Z" },
  ],
] as const) {
  test(`${what} gives content for the model and data for programs`, async () => {
    const result = await answer(value);
    assert.equal(textOf(result), text);
    assert.deepEqual(result.ok && result.data, data);
  });
}

test("a link stays beside its text, sanitized and masked like the text", async () => {
  const token = `ghp_${"a1".repeat(15)}`;
  const link = {
    uri: `a://b?token=${token}`,
    name: "b\u001b[31m",
    size: 7,
    icons: [{ src: `a://${token}` }],
  };
  const reply = new Reply([{ type: "text", text: "[resource b]", link }]);
  const { content } = await answer(reply, { isUntrusted: true });
  const clean = { uri: "a://b?token=⟦masked⟧", name: "b", size: 7, icons: [{ src: "a://⟦masked⟧" }] };
  assert.deepEqual(
    content.map((one) => one.type === "text" && one.link),
    [clean],
  );
});

test("an image is content of its own", async () => {
  const result = await answer(image(new Uint8Array([1, 2, 3]), "image/png"));
  assert.deepEqual(result.content, [{ type: "image", data: "AQID", mimeType: "image/png" }]);
});

for (const [what, value] of [
  ["a BigInt", 1n],
  ["a function", () => 1],
  ["a function inside", { f: () => 1 }],
  ["a Map", new Map()],
] as const) {
  test(`${what} is INVALID_OUTPUT`, async () => {
    assert.equal(codeOf(await answer(value)), "INVALID_OUTPUT");
  });
}

test("a tool's own error is a failure with the tool's code", async () => {
  const result = await answer({ error: "no such user", error_code: "USER_UNKNOWN" });
  assert.equal(codeOf(result), "TOOL_FAILED");
  assert.equal(!result.ok && result.error.details?.["toolCode"], "USER_UNKNOWN");
  assert.equal(
    codeOf(await answer({ error: "log in", error_code: "MISSING_CREDENTIALS" })),
    "MISSING_CREDENTIALS",
  );
  assert.equal(codeOf(await answer({ error: "" })), "ok");
  assert.equal(codeOf(await answer({ error: null })), "ok");
});

test("data that does not match the declared output schema is INVALID_OUTPUT", async () => {
  const output = object({ n: integer() });
  assert.equal(codeOf(await answer({ n: 1 }, { output })), "ok");
  const result = await answer({ n: "1" }, { output });
  assert.equal(codeOf(result), "INVALID_OUTPUT");
  assert.match(textOf(result), /\/n|n:/);
});

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");

test("a file over 10 KB shows its first 5 KB, whole lines, and the way to the rest", async () => {
  const result = await answer(lines(3000), { shape: "file" });
  const [shown, notice] = result.content.map((one) => (one.type === "text" ? one.text : ""));
  assert.ok(shown?.startsWith("line 0\n") && shown.endsWith("\n"));
  assert.ok(Buffer.byteLength(shown ?? "") <= 5 * 1024);
  assert.match(notice ?? "", /^\[truncated: .*read_artifact id="/);
  assert.equal(result.meta.truncated?.shape, "file");
});

test("a log over 10 KB shows its last 5 KB", async () => {
  const result = await answer(lines(3000), { shape: "log" });
  assert.match(textOf(result), /line 2999/);
  assert.doesNotMatch(textOf(result), /line 0\n/);
});

test("the artifact has the whole of a cut answer", async () => {
  const artifacts = createMemoryArtifacts();
  const whole = lines(3000);
  const tool = defineTool({ name: "t", description: "", risk: "low", run: () => whole });
  const result = await createEngine({ tools: [tool], artifacts }).run(call("t"));
  const slice = await artifacts.read(result.meta.truncated?.artifactId ?? "", 0, 1_000_000);
  assert.equal(slice?.text, whole);
});

for (const [what, value] of [
  ["a text", "x".repeat(1_000_000)],
  ["JSON", { text: "x".repeat(1_000_000) }],
  ["a list", new Reply("", { items: Array.from({ length: 100_000 }, (_, index) => `item ${index}`) })],
  ["a stream", streamed()],
] as const) {
  test(`${what} whose artifact cannot be stored is answered once, cut, and says so`, async () => {
    const memory = createMemoryArtifacts();
    const artifacts: Artifacts = {
      ...memory,
      create: () => ({
        ...memory.create(),
        close: () => Promise.reject(new ToolError("UNAVAILABLE", "disk full")),
      }),
    };
    let runs = 0;
    const run = (): never => ((runs += 1), value as never);
    const tool = defineTool({ name: "t", description: "", risk: "low", effects: "none", run });
    const result = await createEngine({ tools: [tool], artifacts }).run(call("t"));
    assert.deepEqual([codeOf(result), runs], ["ok", 1]);
    assert.match(textOf(result), /the rest was not stored/);
    assert.equal(result.meta.truncated?.artifactId, undefined);
  });
}

async function* streamed(): AsyncIterable<string> {
  for (let part = 0; part < 5; part += 1) yield "x".repeat(1_000_000);
}

test("without artifacts the notice says that the rest was not stored", async () => {
  const tool = defineTool({ name: "t", description: "", risk: "low", run: () => lines(3000) });
  assert.match(textOf(await createEngine({ tools: [tool] }).run(call("t"))), /was not stored/);
});

for (const [shape, over, keep] of [
  ["list", 1000, 500],
  ["matches", 100, 50],
] as const) {
  test(`${shape}: ${over} items are shown whole, one more shows ${keep} and the count`, async () => {
    const items = Array.from({ length: over + 1 }, (_, index) => `item ${index}`);
    const whole = await answer(new Reply("", { items: items.slice(1), data: { items: items.slice(1) } }), {
      shape,
    });
    assert.equal(textOf(whole).split("\n").length, over);
    assert.equal(whole.meta.truncated, undefined);
    const cut = await answer(new Reply("", { items, data: { items } }), { shape });
    assert.match(textOf(cut), new RegExp(`\\[truncated: the first ${keep} of ${over + 1} shown`));
    assert.equal(cut.ok && (cut.data as { items: string[] }).items.length, keep);
  });
}

test("a total that the tool knows only in part is shown as at least", async () => {
  const reply = new Reply("", {
    items: ["a", "b"],
    truncated: { shape: "matches", total: 9000, atLeast: true },
  });
  assert.match(textOf(await answer(reply, { shape: "matches" })), /the first 2 of at least 9000/);
});

test("long JSON stays JSON, in the text and in the data", async () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `row ${id}` }));
  const result = await answer({ rows, ok: true });
  const [json, notice] = result.content.map((one) => (one.type === "text" ? one.text : ""));
  const parsed = JSON.parse(json ?? "") as { rows: unknown[]; ok: boolean };
  assert.equal(parsed.ok, true);
  assert.ok(parsed.rows.length > 10 && parsed.rows.length < 2000);
  assert.deepEqual(result.ok && result.data, parsed);
  assert.match(notice ?? "", /^\[truncated/);
});

test("a log's data keeps the exit code and the end of its output", async () => {
  const data = { stdout: lines(5000), stderr: "", exit_code: 3, signal: null };
  const result = await answer(new Reply("short", { data }), { shape: "log" });
  const short = (result.ok ? result.data : {}) as { stdout: string; exit_code: number };
  assert.equal(short.exit_code, 3);
  assert.match(short.stdout, /line 4999/);
  assert.ok(JSON.stringify(short).length < 6000);
});

for (const how of ["throws", "is cancelled"] as const) {
  test(`a streamed answer that ${how} leaves no artifact open`, async () => {
    const memory = createMemoryArtifacts();
    let [opened, closed] = [0, 0];
    const artifacts: Artifacts = {
      ...memory,
      create() {
        const writer = memory.create();
        opened += 1;
        return { ...writer, close: () => ((closed += 1), writer.close()) };
      },
    };
    const controller = new AbortController();
    async function* parts(): AsyncIterable<string> {
      for (let part = 0; part < 5; part += 1) yield "x".repeat(1_000_000);
      if (how === "throws") throw new Error("broken");
      controller.abort();
      yield "more";
    }
    const tool = defineTool({ name: "t", description: "", risk: "low", run: () => parts() as never });
    const result = await createEngine({ tools: [tool], artifacts }).run(call("t"), {
      signal: controller.signal,
    });
    assert.equal(result.ok, false);
    assert.deepEqual([opened, closed], [1, 1]);
  });
}

for (const [output, code] of [
  [{ type: "string" }, "ok"],
  [{ type: "object" }, "INVALID_OUTPUT"],
] as const)
  test(`a streamed text of 5 MB is checked as a text against ${JSON.stringify(output)}`, async () => {
    const run = async function* (): AsyncGenerator<string> {
      for (let i = 0; i < 5; i += 1) yield "x".repeat(1024 * 1024);
    };
    const tool = defineTool({ name: "t", description: "d", risk: "low", output, run });
    const result = await createEngine({ tools: [tool], artifacts: createMemoryArtifacts() }).run(call("t"));
    assert.equal(codeOf(result), code);
  });

test("a streamed answer far over the limit is counted whole and goes to its artifact", async () => {
  const artifacts = createMemoryArtifacts();
  async function* flood(): AsyncGenerator<string> {
    for (let index = 0; index < 100; index += 1) yield "x".repeat(100_000);
  }
  const tool = defineTool({ name: "t", description: "", risk: "low", run: flood });
  const result = await createEngine({ tools: [tool], artifacts }).run(call("t"));
  assert.equal(result.meta.truncated?.total, 10_000_000);
  assert.equal((await artifacts.info(result.meta.truncated?.artifactId ?? ""))?.size, 10_000_000);
});

test("a tool's own limit allows a longer text and its data, up to that limit", async () => {
  const limited = (length: number): Promise<ToolResult> => {
    const text = "0123456789 abcdef\n".repeat(length / 18);
    const tool = defineTool({
      name: "t",
      description: "",
      risk: "low",
      limits: { shape: "file", maxBytes: 50 * 1024 },
      run: () => new Reply(text, { data: { text } }),
    });
    return createEngine({ tools: [tool], artifacts: createMemoryArtifacts() }).run(call("t"));
  };
  const whole = await limited(36_000);
  assert.equal(whole.meta.truncated, undefined);
  assert.equal(textOf(whole).length, 36_000);
  assert.equal(whole.ok && (whole.data as { text: string }).text.length, 36_000);
  const cut = await limited(90_000);
  assert.match(textOf(cut), /\[truncated: the first 25\.0 KB of 87\.9 KB shown/);
  assert.equal(cut.meta.truncated?.total, 90_000);
});
