/** A program of the built library for runtimes without Node, and what its `main` returns. */
export interface EdgeProgram {
  readonly name: string;
  readonly contents: string;
  readonly outcome: unknown;
}

const ENGINE = `
  import { createEngine, defineTool, s, callsFrom, toProviderMessages } from "./dist/index.js";
  const tool = (name, input, options = {}) => defineTool({ name, description: name, reading: true, input, run: (given) => given, ...options });
  const codeOf = ({ ok, content, error }) => (ok ? content[0].text : error.code);
`;

/** Run by test/edge.test.ts in a realm without Node, and by test/long/edge-runtimes.test.ts in workerd and in a browser. */
export const EDGE_PROGRAMS: readonly EdgeProgram[] = [
  {
    name: "an engine runs at the edge: schemas, policy, deadlines, retries, artifacts and provider formats",
    contents: `${ENGINE}
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
    }`,
    outcome: {
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
    },
  },
  {
    name: "at the edge, rare schemas are checked, and those that need a time limit are refused",
    contents: `${ENGINE}
    async function main() {
      const engine = createEngine({
        tools: [
          tool("odd", { type: "object", unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] }, { run: () => "ran" }),
          tool("slow", { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } }),
          tool("plain", { type: "object", properties: { text: { type: "string", pattern: "^a+$" } } }, { run: () => "ran" }),
        ],
      });
      const outcomes = [];
      for (const [name, input] of [["odd", { a: 1 }], ["odd", { b: 1 }], ["slow", { text: "aa" }], ["plain", { text: "aa" }], ["plain", { text: "b" }]])
        outcomes.push(codeOf(await engine.run({ id: name, name, input })));
      return outcomes;
    }`,
    outcome: ["ran", "INVALID_INPUT", "TOOL_DISABLED", "ran", "INVALID_INPUT"],
  },
  {
    name: "at the edge, paths are judged, and a command is asked about: no reader is loaded",
    contents: `${ENGINE}
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
    }`,
    outcome: ["allow", "deny", "deny", "deny", "ask", "deny"],
  },
  {
    name: "a model of a provider is opened and called at the edge",
    contents: `
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
    }`,
    outcome: {
      said: "Hello",
      sent: [["https://api.anthropic.com/v1/messages", "claude-sonnet-4-5"]],
    },
  },
];
