import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { add, failing, call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { createEngine } from "../../engine/engine.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, optional, string } from "../../schema/define/schema.ts";
import { searchTools } from "../about/search-tools.ts";
import { runCode } from "./run-code.ts";

const writing = defineTool({
  name: "write",
  description: "Writes.",
  input: object({ text: optional(string()) }),
  risk: "medium",
  run: ({ text = "" }) => `written ${text}`,
});

function open(t: TestContext, options: EngineOptions = {}, ...more: readonly Tool[]) {
  const tools = [runCode({ dataOf: () => undefined }), searchTools(), add, failing, writing, ...more];
  const engine = createEngine({ ...options, tools });
  t.after(() => engine.close());
  const run = (code: string, input: JsonObject = {}, signal?: AbortSignal) =>
    engine.run(
      call("run_code", { code, timeout_seconds: 300, ...input }),
      signal === undefined ? {} : { signal },
    );
  return { engine, run };
}

test("a program calls tools, prints and returns a value", async (t) => {
  const { run } = open(t);
  const result = await run(
    "let sum = 0;\nfor (let n = 1; n <= 4; n += 1) {\n  const { data, text } = await tools.add({ a: sum, b: n });\n" +
      "  console.log('step', n, data, text);\n  sum = data.sum;\n}\nreturn { sum };",
  );
  assert.equal(codeOf(result), "ok", textOf(result));
  assert.match(textOf(result), /^step 1 \{"sum":1\} \{"sum":1\}\n(?:step .*\n){3}\{"sum":10\}$/);
  assert.deepEqual(result.ok && { ...(result.data as JsonObject), console: "" }, {
    calls: 4,
    failed: 0,
    console: "",
    result: { sum: 10 },
  });
  assert.equal(textOf(await run("return 'as it is'")), "as it is");
  assert.match(textOf(await run("1 + 1")), /no output: use return/);
  assert.equal(textOf(await run("return Object.keys(tools)")), '["search_tools","add","fail","write"]');
});

test("each call is a child of the program, with its own id, policy and events", async (t) => {
  const { engine, run } = open(t);
  const events = eventsOf(engine);
  const result = await run("await Promise.all([1, 2, 3].map((n) => tools.add({ a: n, b: n })))");
  const answered = events.filter(({ type }) => type === "call.answered") as unknown as JsonObject[];
  assert.deepEqual(
    answered.map(({ callId, parentId }) => [callId, parentId]),
    [...[1, 2, 3].map((n) => [`${result.callId}.${n}`, result.callId]), [result.callId, undefined]],
  );
});

test("a failed call throws an error with code, message and hint, which the program can catch", async (t) => {
  const { run } = open(t);
  const caught = await run(
    "const errors = [];\nfor (const name of ['fail', 'nope', 'add', 'run_code']) {\n" +
      "  try { await tools[name]({}) } catch (error) { errors.push([error instanceof ToolError, error.code, error.message]) }\n}\nreturn errors;",
  );
  const errors = JSON.parse(textOf(caught)) as [boolean, string, string][];
  assert.deepEqual(
    errors.map(([isToolError, code]) => [isToolError, code]),
    [
      [true, "TOOL_FAILED"],
      [true, "TOOL_NOT_FOUND"],
      [true, "INVALID_INPUT"],
      [true, "INVALID_INPUT"],
    ],
  );
  assert.equal(errors[0]?.[2], "no luck");
  const uncaught = await run("const a = 1;\nconsole.log('before');\nawait tools.fail();");
  assert.equal(codeOf(uncaught), "TOOL_FAILED");
  assert.match(
    textOf(uncaught),
    /the program failed: ToolError TOOL_FAILED: no luck \(line 3\)\noutput before the end:\nbefore/,
  );
});

for (const [what, code, expected] of [
  ["an exception", "let a;\n\na.b();", /the program failed: TypeError: .* \(line 3\)/],
  ["a thrown text", "throw 'stop'", /the program failed: it threw stop/],
  ["a syntax error", "let a = 1;\nlet b = ;", /the program failed: SyntaxError: .* \(line 2\)/],
  [
    "a result without a JSON form",
    "const a = {}; a.a = a; return a;",
    /cannot be written as JSON: TypeError/,
  ],
  ["a promise that nothing settles", "await new Promise(() => {})", /a promise that nothing can settle/],
  [
    "endless recursion",
    "const f = () => 1 + f(); f();",
    /the program failed: (?:InternalError|RangeError): .*stack/,
  ],
  [
    "what a program does not have",
    "return [typeof process, typeof fetch, typeof setTimeout, require]",
    /ReferenceError: .*require/,
  ],
] as const) {
  test(`${what} is a failure that says where`, async (t) => {
    const result = await open(t).run(code);
    assert.equal(codeOf(result), "TOOL_FAILED");
    assert.match(textOf(result), expected);
  });
}

for (const [what, code, expected] of [
  [
    "1 GB of memory",
    "const all = []; for (;;) all.push(new Uint8Array(1 << 24));",
    /used more than 64 MB of memory/,
  ],
  [
    "1 GB of text",
    "let text = 'x'; for (;;) text += text + 'y';",
    /used more than 64 MB of memory|string too long/,
  ],
  [
    "10 000 calls",
    "for (let n = 0; n < 10000; n += 1) await tools.add({ a: n, b: 1 });",
    /was stopped: it made more than 1000 calls/,
  ],
  [
    "10 000 calls at once",
    "await Promise.all(Array.from({ length: 10000 }, (_, n) => tools.add({ a: n, b: 1 })));",
    /was stopped: it made more than 1000 calls/,
  ],
  ["endless output", "for (;;) console.log('x'.repeat(1000));", /was stopped: it printed more than 1024 KB/],
] as const) {
  test(`a program that needs ${what} is stopped with a clear error`, async (t) => {
    const { run } = open(t);
    const result = await run(code);
    assert.equal(codeOf(result), "TOOL_FAILED");
    assert.match(textOf(result), expected);
  });
}

test("an endless loop ends at the time limit, and other calls run meanwhile", async (t) => {
  const { engine, run } = open(t);
  const looping = run("console.log('begun'); for (;;);", { timeout_seconds: 2 });
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 1 }))), "ok");
  const result = await looping;
  assert.equal(codeOf(result), "TOOL_TIMEOUT");
  assert.match(textOf(result), /timed out after 2 s/);
});

test("cancelling stops a loop, and a call that the program waits for", async (t) => {
  const begun = Promise.withResolvers<void>();
  let wasAborted = false;
  const slow = defineTool({
    name: "slow",
    description: "",
    risk: "low",
    effects: "none",
    async run(_input, { signal }) {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      wasAborted = true;
    },
  });
  const { engine, run } = open(t, {}, slow);
  const first = new AbortController();
  const waiting = run("await tools.slow()", {}, first.signal);
  await begun.promise;
  first.abort();
  assert.equal(codeOf(await waiting), "CANCELLED");
  assert.equal(wasAborted, true);
  const second = new AbortController();
  const printed = new Promise<void>((resolve) => {
    engine.on((event) => {
      if (event.type === "call.progressed") resolve();
    });
  });
  const looping = run("console.log('begun'); for (;;);", {}, second.signal);
  await printed;
  second.abort();
  const result = await looping;
  assert.equal(codeOf(result), "CANCELLED");
  assert.match(textOf(result), /output before the end:\nbegun/);
});

test("a call in the program is approved on its own", async (t) => {
  const asked: ApprovalRequest[] = [];
  const ask = (request: ApprovalRequest): Promise<Approval> => {
    asked.push(request);
    const isFirst = asked.length === 1;
    return Promise.resolve(isFirst ? { approved: true, scope: "once" } : { approved: false, reason: "no" });
  };
  const { run } = open(t, { approver: { ask } });
  const result = await run(
    "const first = await tools.write({ text: 'a' });\n" +
      "const second = await tools.write({ text: 'b' }).catch((error) => error.code);\nreturn [first.text, second];",
  );
  assert.equal(textOf(result), '["written a","DENIED"]');
  assert.deepEqual(
    asked.map(({ tool, input, parentId }) => [tool, input, parentId]),
    [
      ["write", { text: "a" }, result.callId],
      ["write", { text: "b" }, result.callId],
    ],
  );
});

test("unsafe calls that a program makes together run one after the other, in its order", async (t) => {
  const log: string[] = [];
  const step = defineTool({
    name: "step",
    description: "",
    input: object({ name: string() }),
    risk: "low",
    async run({ name }) {
      log.push(`+${name}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`-${name}`);
    },
  });
  const { run } = open(t, {}, step);
  await run("await Promise.all(['a', 'b'].map((name) => tools.step({ name })))");
  assert.deepEqual(log, ["+a", "-a", "+b", "-b"]);
});

test("a program gets long answers whole and without marks; its own answer is marked as untrusted", async (t) => {
  const page = defineTool({
    name: "page",
    description: "",
    risk: "low",
    effects: "none",
    isUntrusted: true,
    run: () => JSON.stringify({ text: "x".repeat(100_000) }),
  });
  const { run } = open(t, {}, page);
  const result = await run("return JSON.parse((await tools.page()).text).text.length");
  assert.match(
    result.content[0]?.type === "text" ? result.content[0].text : "",
    /^<untrusted-\w+ [^>]*>\n100000\n/,
  );
  const long = await run("return (await tools.page()).text");
  assert.equal(long.meta.truncated?.shape, "text");
});

test("the description declares the active tools, and with many of them says how to get declarations", async (t) => {
  const { engine, run } = open(t);
  const shown = (): string => engine.list().find(({ name }) => name === "run_code")?.description ?? "";
  assert.match(
    shown(),
    /declare const tools: \{\n.*\n {2}\/\*\* Adds two numbers\. \*\/\n {2}add\(input: \{ a: number; b: number \}\): Promise<Answer>;/s,
  );
  assert.doesNotMatch(shown(), /run_code\(/);
  const spec = engine.specs("mcp").find(({ name }) => name === "run_code");
  assert.equal(spec?.["description"], shown());
  engine.add(
    Array.from({ length: 200 }, (_, n) =>
      defineTool({
        name: `many_${n}`,
        description: `Does the thing ${n}.`,
        input: object({ n: string("A number") }),
        run: () => n,
      }),
    ),
  );
  assert.doesNotMatch(shown(), /declare const tools/);
  assert.match(shown(), /await declarations\(/);
  const found = await run(
    "const { data } = await tools.search_tools({ query: 'thing 77', limit: 1 });\nreturn await declarations(data.tools[0].name, 'ad*');",
  );
  assert.match(textOf(found), /add\(input: \{ a: number; b: number \}\)/);
  assert.match(textOf(found), /many_77\(input: \{ \/\*\* A number \*\/ n: string \}\): Promise<Answer>;/);
  assert.equal(textOf(await run("return await declarations('nope')")), "// no tool is named nope");
});
