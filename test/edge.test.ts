import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";

/** What every browser and worker has; nothing of Node. */
const WEB = {
  AbortController,
  AbortSignal,
  DOMException,
  EventTarget,
  Event,
  ReadableStream,
  Response,
  Request,
  Headers,
  TextDecoder,
  TextEncoder,
  TextDecoderStream,
  TransformStream,
  WritableStream,
  Blob,
  FormData,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  crypto,
  fetch,
  performance,
  queueMicrotask,
  structuredClone,
};

/** Runs a program of the built library where code cannot be generated, as in workerd without `nodejs_compat`; timers are numbers there. */
async function runAtTheEdge(contents: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: {
      contents: `${contents}\nglobalThis.outcome = main();`,
      resolveDir: process.cwd(),
      sourcefile: "app.js",
    },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    conditions: ["workerd", "worker"],
    target: "es2024",
    logLevel: "error",
  });
  const timers = new Map<number, NodeJS.Timeout>();
  const context = createContext(
    {
      ...WEB,
      console,
      setTimeout(callback: () => void, ms: number) {
        const id = timers.size + 1;
        timers.set(id, setTimeout(callback, ms));
        return id;
      },
      clearTimeout: (id: number) => clearTimeout(timers.get(id)),
    },
    { codeGeneration: { strings: false, wasm: false } },
  );
  const text = outputFiles[0]?.text ?? "";
  assert.doesNotMatch(text, /from ?"node:|require\("node:/);
  runInContext(text, context);
  const outcome: unknown = await (context as { readonly outcome: unknown }).outcome;
  // Objects of the other realm have other prototypes.
  return JSON.parse(JSON.stringify(outcome)) as unknown;
}

const ENGINE = `
  import { createEngine, defineTool, s, callsFrom, toProviderMessages } from "./dist/index.js";
  const tool = (name, input, options = {}) => defineTool({ name, description: name, reading: true, input, run: (given) => given, ...options });
  const codeOf = ({ ok, content, error }) => (ok ? content[0].text : error.code);
`;

test("an engine runs at the edge: schemas, policy, deadlines, retries, artifacts and provider formats", async () => {
  const outcome = await runAtTheEdge(`${ENGINE}
    async function main() {
      let tries = 0;
      const engine = createEngine({
        tools: [
          tool("add", s.object({ a: s.number(), b: s.number() }), { run: ({ a, b }) => a + b }),
          tool("mail", { type: "object", properties: { to: { type: "string", format: "email" } }, required: ["to"] }, { run: () => "sent" }),
          tool("wait", s.object({}), { run: () => new Promise(() => {}), limits: { timeoutMs: 20 } }),
          tool("flaky", s.object({}), { run: () => { tries += 1; if (tries < 2) { const e = new Error("x"); e.code = "ECONNRESET"; throw e; } return "done"; } }),
          tool("long", s.object({}), { run: () => "line é\\n".repeat(20000) }),
          defineTool({ name: "drop", description: "", risk: "high", input: s.object({}), run: () => "dropped" }),
        ],
      });
      const call = (name, input) => engine.run({ id: name, name, input });
      const long = await call("long", {});
      return {
        add: codeOf(await call("add", '{"a": 1, "b": "2"}')),
        wrong: codeOf(await call("add", { a: "x" })),
        repaired: codeOf(await call("add", "{'a': 1, 'b': 2,}")),
        mail: [codeOf(await call("mail", { to: "a@b.example" })), codeOf(await call("mail", { to: "no" }))],
        wait: codeOf(await call("wait", {})),
        isCut: long.content[0].text.length < 20000,
        drop: codeOf(await call("drop", {})),
        asked: (await engine.explain({ id: "x", name: "drop", input: {} })).verdict.kind,
        approved: codeOf(await engine.run({ id: "y", name: "drop", input: {} }, { decision: { approved: true, scope: "once" } })),
        specs: ["openai", "anthropic", "google", "openai-responses"].map((format) => JSON.stringify(engine.specs(format)).includes("add")),
      };
    }`);
  assert.deepEqual(outcome, {
    add: "3",
    wrong: "INVALID_INPUT",
    repaired: "3",
    mail: ["sent", "INVALID_INPUT"],
    wait: "TOOL_TIMEOUT",
    isCut: true,
    drop: "DENIED",
    asked: "ask",
    approved: "dropped",
    specs: [true, true, true, true],
  });
});

test("at the edge, schemas that need generated code or a time limit are refused, never left unchecked", async () => {
  const outcome = await runAtTheEdge(`${ENGINE}
    async function main() {
      const engine = createEngine({
        tools: [
          tool("odd", { type: "object", unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] }),
          tool("slow", { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } }),
          tool("plain", { type: "object", properties: { text: { type: "string", pattern: "^a+$" } } }, { run: () => "ran" }),
        ],
      });
      const outcomes = [];
      for (const [name, input] of [["odd", { a: 1 }], ["odd", { b: 1 }], ["slow", { text: "aa" }], ["plain", { text: "aa" }], ["plain", { text: "b" }]])
        outcomes.push(codeOf(await engine.run({ id: name, name, input })));
      return outcomes;
    }`);
  assert.deepEqual(outcome, ["TOOL_DISABLED", "TOOL_DISABLED", "TOOL_DISABLED", "ran", "INVALID_INPUT"]);
});

test("at the edge, paths are judged, and a command is asked about: no reader is loaded", async () => {
  const outcome = await runAtTheEdge(`${ENGINE}
    async function main() {
      const facts = ({ path, text }) => text === undefined ? [{ kind: "path", path, access: "read" }] : [{ kind: "command", text, cwd: "/w" }];
      const verdicts = [];
      for (const [mode, input] of [["auto", { path: "/w/a" }], ["yolo", { path: "/home/ada/.ssh/id_rsa" }], ["yolo", { text: "ls" }]]) {
        const engine = createEngine({ mode, workspace: ["/w"], rules: [{ decision: "deny", path: "/w/secret/**" }], tools: [tool("t", { type: "object" }, { facts })] });
        const { verdict } = await engine.explain({ id: "1", name: "t", input });
        verdicts.push(verdict.kind);
        verdicts.push((await engine.explain({ id: "2", name: "t", input: { path: "/w/secret/a" } })).verdict.kind);
      }
      return verdicts;
    }`);
  assert.deepEqual(outcome, ["allow", "deny", "deny", "deny", "ask", "deny"]);
});

test("a model of a provider is opened and called at the edge", async () => {
  const outcome = await runAtTheEdge(`
    import { openModel } from "./dist/doors/models.js";
    async function main() {
      const sent = [];
      const fetch = async (url, { body }) => {
        sent.push([String(url), JSON.parse(body).model]);
        const events = [
          { type: "message_start", message: { id: "m", type: "message", role: "assistant", model: "x", content: [], usage: { input_tokens: 1, output_tokens: 0 } } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
          { type: "message_stop" },
        ];
        const text = events.map((event) => "event: " + event.type + "\\ndata: " + JSON.stringify(event) + "\\n\\n").join("");
        return new Response(text, { headers: { "content-type": "text/event-stream" } });
      };
      const model = await openModel("anthropic/claude-sonnet-4-5", { fetch, environment: { ANTHROPIC_API_KEY: "k" } });
      let said = "";
      const request = { instructions: "", messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], tools: [], signal: AbortSignal.timeout(5000) };
      for await (const part of model.stream(request))
        if (part.type === "text") said += part.text;
      return { said, sent };
    }`);
  assert.deepEqual(outcome, {
    said: "Hello",
    sent: [["https://api.anthropic.com/v1/messages", "claude-sonnet-4-5"]],
  });
});
