// What `toolwright acp` uses of the editor: its files, terminals, MCP servers and forms.
import assert from "node:assert/strict";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { McpServer } from "@agentclientprotocol/sdk";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { call, openEditor, saidTo, text } from "./support/acp.ts";
import { startMain } from "./support/cli.ts";
import { createReplPlace } from "./support/repl.ts";

test("a form of a server that the editor handed over is filled in by the person", async (t) => {
  const raw = rawServer(t, { tools: [toolOf("elicit")] });
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const question = { mode: "form", message: "Which city?", requestedSchema: schema };
  const place = createReplPlace(t, [
    { calls: [call("raw__elicit", question)] },
    { text: "Done.", when: "Oslo" },
  ]);
  const editor = await openEditor(t, place, {
    answer: () => "once",
    capabilities: { elicitation: { form: {} } },
    with: (app) =>
      app.onRequest("elicitation/create", ({ params }) => {
        assert.match(JSON.stringify(params), /"city".*Which city\?/);
        return { action: "accept", content: { city: "Oslo" } };
      }),
  });
  const { command, args } = raw.server;
  const server: McpServer = { name: "raw", command, args: [...args], env: [] };
  const { sessionId } = await editor.agent.request("session/new", {
    cwd: place.folder,
    mcpServers: [server],
  });
  await editor.agent.request("session/prompt", { sessionId, prompt: text("go") });
  assert.equal(saidTo(editor), "Done.");
});

test("files with unsaved changes are read and edited as the editor has them", async (t) => {
  const edit = call("edit_file", { path: "a.txt", old_string: "unsaved", new_string: "edited" });
  const place = createReplPlace(t, [
    { calls: [call("read_file", { path: "a.txt" })] },
    { calls: [edit], when: "unsaved line" },
    { calls: [call("delete_file", { path: "a.txt" })], when: "in the editor" },
    { text: "Done." },
  ]);
  place.write("a.txt", "saved line\n");
  const path = join(realpathSync(place.folder), "a.txt");
  let buffer = "unsaved line\n";
  const editor = await openEditor(t, place, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    flags: ["--mode", "yolo"],
    with: (app) =>
      app
        .onRequest("fs/read_text_file", ({ params }) => {
          assert.equal(params.path, path);
          return { content: buffer };
        })
        .onRequest("fs/write_text_file", ({ params }) => {
          buffer = params.content;
          writeFileSync(params.path, buffer);
          return {};
        }),
  });
  const { agent } = editor;
  const { sessionId } = await agent.request("session/new", { cwd: place.folder, mcpServers: [] });
  await agent.request("session/prompt", { sessionId, prompt: text("go") });
  assert.equal(buffer, "edited line\n");
  assert.equal(saidTo(editor), "Done.");
});

test("a change that the editor cannot make to unsaved text is refused", async (t) => {
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-saved\n+changed\n*** End Patch";
  const place = createReplPlace(t, [
    { calls: [call("apply_patch", { patch }), call("write_file", { path: "a.txt", content: "mine\n" })] },
    { text: "Done.", when: "unsaved changes" },
  ]);
  place.write("a.txt", "saved\n");
  const editor = await openEditor(t, place, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    flags: ["--mode", "yolo"],
    with: (app) =>
      app
        .onRequest("fs/read_text_file", () => ({ content: "typed by the person\n" }))
        .onRequest("fs/write_text_file", () => assert.fail("nothing is written")),
  });
  const { sessionId } = await editor.agent.request("session/new", { cwd: place.folder, mcpServers: [] });
  await editor.agent.request("session/prompt", { sessionId, prompt: text("go") });
  assert.equal(readFileSync(join(place.folder, "a.txt"), "utf8"), "saved\n");
  assert.equal(saidTo(editor), "Done.");
});

test("commands run in a terminal of the editor, without secrets, and a cancel kills them", async (t) => {
  const place = createReplPlace(t, [
    { calls: [call("shell", { command: "make test" })] },
    { calls: [call("shell", { command: "make forever" })], when: "2 passed" },
  ]);
  const created: string[] = [];
  const killed = Promise.withResolvers<void>();
  const editor = await openEditor(t, place, {
    capabilities: { terminal: true },
    flags: ["--mode", "yolo"],
    with: (app) =>
      app
        .onRequest("terminal/create", ({ params: { command, args = [], env = [], cwd } }) => {
          assert.equal(cwd, realpathSync(place.folder));
          assert.match(command, /^\/bin\/(?:ba)?sh$/);
          assert.ok(!env.some(({ name, value }) => /TOKEN|KEY/.test(name) && value !== ""));
          created.push(args.at(-1) ?? "");
          return { terminalId: `t${created.length}` };
        })
        .onRequest("terminal/wait_for_exit", async ({ params }) => {
          if (params.terminalId === "t2") await killed.promise;
          return { exitCode: 0 };
        })
        .onRequest("terminal/output", () => ({ output: "2 passed\n", truncated: false }))
        .onRequest("terminal/kill", () => {
          killed.resolve();
          return {};
        })
        .onRequest("terminal/release", () => ({})),
  });
  const { agent } = editor;
  const { sessionId } = await agent.request("session/new", { cwd: place.folder, mcpServers: [] });
  const prompted = agent.request("session/prompt", { sessionId, prompt: text("go") });
  await editor.until(
    "tool_call_update",
    ({ content }) => content?.some((one) => one.type === "terminal" && one.terminalId === "t2") === true,
  );
  await agent.notify("session/cancel", { sessionId });
  assert.equal((await prompted).stopReason, "cancelled");
  await killed.promise;
  assert.deepEqual(created, ["make test", "make forever"]);
});

test("a server that the editor hands over is started, and its tools need approval like any others", async (t) => {
  const server = join(process.cwd(), "node_modules/@modelcontextprotocol/server-memory/dist/index.js");
  const place = createReplPlace(t, [
    { calls: [call("notes__read_graph", {})] },
    { text: "Done.", when: "entities" },
  ]);
  const editor = await openEditor(t, place, { answer: () => "once" });
  const { agent } = editor;
  const env = [{ name: "MEMORY_FILE_PATH", value: join(place.folder, "memory.json") }];
  const notes: McpServer = { name: "notes", command: process.execPath, args: [server], env };
  const { sessionId } = await agent.request("session/new", { cwd: place.folder, mcpServers: [notes] });
  await agent.request("session/prompt", { sessionId, prompt: text("go") });
  assert.equal(saidTo(editor), "Done.");
  assert.match(editor.permissions[0]?.toolCall.title ?? "", /read_graph/);
});

test("a request that follows initialize without waiting for its answer is answered", async (t) => {
  const place = createReplPlace(t, [{ text: "Done." }]);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const { ended } = startMain(place, ["acp", "--model", `scripted/${place.folder}/story.jsonl`], {
    stdin,
    stdout,
    stderr,
  });
  const requests = [
    { id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
    { id: 2, method: "session/new", params: { cwd: place.folder, mcpServers: [] } },
    { id: 3, method: "session/list", params: {} },
  ];
  for (const request of requests) stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
  const answered = new Map<unknown, unknown>();
  for await (const line of createInterface(stdout)) {
    const { id, method, result, error } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (method === undefined) answered.set(id, result ?? error);
    if (answered.size === requests.length) break;
  }
  stdin.end();
  assert.equal(await ended, 0);
  const codes = Array.from(answered.values(), (value) => (value as { readonly code?: number }).code);
  assert.deepEqual(codes, [undefined, undefined, undefined], JSON.stringify([...answered]));
});
