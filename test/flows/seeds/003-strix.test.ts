// The examples of seed 003, "Tool Execution Pipeline", as literally as TypeScript allows.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test, type TestContext } from "node:test";
import { main, type ServerProcess } from "../../../src/app/tool-server/main.ts";
import { callsOf } from "../../../src/core/agent/message.ts";
import type { Model, ModelPart } from "../../../src/core/agent/model.ts";
import { withLeakedCalls } from "../../../src/models/text-model.ts";
import { builtInTools } from "../../../src/tools/built-in.ts";
import { openAgent } from "../../support/agents/agent.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A `ToolResult` of the seed. */
interface StrixResult {
  readonly tool_name: string;
  readonly success: boolean;
  readonly output: string;
  readonly error: string | null;
  readonly metadata: { readonly code?: string; readonly attachments?: readonly { readonly type: string }[] };
}

interface ToolServer {
  readonly folder: string;
  post(body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  execute(tool: string, params: object): Promise<StrixResult>;
}

/** Starts the tool server in this process, with a folder as its workspace. */
async function startToolServer(t: TestContext, ...args: readonly string[]): Promise<ToolServer> {
  const folder = temporaryFolder(t);
  const stdout = new PassThrough();
  const stop = Promise.withResolvers<void>();
  const own = {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    env: { ...process.env, TOOLWRIGHT_TOOL_SERVER_TOKEN: "sandbox_token" },
    on: (signal: string, end: () => void) => void (signal === "SIGTERM" && stop.promise.then(end)),
  } as unknown as ServerProcess;
  const ended = main(["--port", "0", "--workspace", folder, ...args], own);
  t.after(async () => {
    stop.resolve();
    assert.equal(await ended, 0);
  });
  const [line] = (await stdout.take(1).toArray()) as readonly Buffer[];
  const [, origin = ""] = /listening on (\S+)/.exec(String(line)) ?? [];
  const post: ToolServer["post"] = (body, headers = {}) =>
    fetch(`${origin}/execute`, {
      method: "POST",
      headers: { authorization: "Bearer sandbox_token", "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  return {
    folder,
    post,
    execute: async (tool, params) => (await (await post({ tool, params })).json()) as StrixResult,
  };
}

/** Serves one page, and returns its address. */
async function servePage(t: TestContext): Promise<URL> {
  const server = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Shop</h1>"),
  );
  t.after(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return new URL(`http://localhost:${address.port}/`);
}

test("POST /execute: each of the four handlers answers in the form of the seed", async (t) => {
  const page = await servePage(t);
  const server = await startToolServer(t, "--answers", "tool-result", "--private-host", page.host);
  writeFileSync(join(server.folder, "notes.txt"), "one\ntwo\n");

  const listed = await server.execute("terminal_execute", { command: "ls" });
  assert.deepEqual([listed.tool_name, listed.success, listed.error], ["terminal_execute", true, null]);
  assert.match(listed.output, /notes\.txt/);

  const python = await server.execute("python_action", { action: "execute", code: "print(6 * 7)" });
  assert.match(python.output, /42/);

  const viewed = await server.execute("str_replace_editor", { command: "view", path: "notes.txt" });
  assert.match(viewed.output, /two/);

  const shown = await server.execute("browser_action", {
    action: "launch",
    url: page.href,
    screenshot: true,
  });
  assert.deepEqual([shown.success, shown.error], [true, null]);
  assert.equal(shown.metadata.attachments?.[0]?.type, "image");
  const source = await server.execute("browser_action", { action: "view_source" });
  assert.match(source.output, /<h1>Shop<\/h1>/);

  const failed = await server.execute("terminal_execute", {});
  assert.deepEqual([failed.success, failed.output, failed.metadata.code], [false, "", "INVALID_INPUT"]);
  assert.match(failed.error ?? "", /command is missing/);
});

test("POST /execute: a client chooses the form by a header, and a wrong token is 401", async (t) => {
  const server = await startToolServer(t);
  const body = { tool: "terminal_execute", params: { command: "echo hi" } };
  const own = (await (await server.post(body)).json()) as { readonly ok: boolean; readonly name: string };
  assert.deepEqual([own.ok, own.name], [true, "terminal_execute"]);
  const accept = "application/vnd.toolwright.tool-result+json";
  const flat = (await (await server.post(body, { accept })).json()) as StrixResult;
  assert.deepEqual([flat.success, flat.output.trim()], [true, "hi"]);
  assert.equal((await server.post(body, { authorization: "Bearer wrong" })).status, 401);
});

test("parse_tool_invocations: a call by the seed's name in the text of a model with native calls runs", async (t) => {
  const folder = temporaryFolder(t);
  const texts = [
    "I look.\n<function=terminal_execute><parameter=command>echo from the shell</parameter></function>",
    "<function=delete_everything></function>",
    "Done.",
  ];
  let asked = 0;
  const model: Model = {
    id: "test/model",
    format: "openai",
    window: 100_000,
    price: undefined,
    async *stream(): AsyncIterable<ModelPart> {
      await Promise.resolve();
      const text = texts[asked++] ?? "";
      yield { type: "text", text };
      yield {
        type: "done",
        parts: [{ type: "text", text }],
        reason: "stop",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const { agent } = await openAgent(t, [], {
    realModel: withLeakedCalls(model),
    engine: {
      mode: "yolo",
      workspace: [folder],
      tools: builtInTools({ root: folder, environment: { PATH: process.env["PATH"] ?? "" } }),
    },
  });
  const outcome = await agent.send("Look.");
  assert.equal(outcome.kind === "answered" && outcome.text, "Done.");
  const results = agent.messages().flatMap((message) => (message.role === "tool" ? message.results : []));
  assert.match(JSON.stringify(results[0]?.content), /from the shell/);
  assert.match(JSON.stringify(results[1]?.content), /no tool is named \\"delete_everything\\"/);
  const calls = agent.messages().flatMap((message) => (message.role === "assistant" ? callsOf(message) : []));
  assert.deepEqual(
    calls.map(({ name }) => name),
    ["terminal_execute", "delete_everything"],
  );
});
