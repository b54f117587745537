import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shellTool, schemaOf, writeProgram } from "../support/programs/programs.ts";
import { isRunning } from "../support/programs/is-running.ts";
import {
  createPlace,
  longCommand,
  processesWith,
  runCli,
  startCli,
  until,
  withoutProc,
} from "./support/cli.ts";
import { connectMcp, connectProcess, textOf } from "./support/mcp-client.ts";

/** A tool folder of the user with these programs. */
function toolsOf(home: string, programs: Readonly<Record<string, string>>): string {
  const folder = join(home, "tools");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(programs)) writeProgram(folder, name, text);
  return folder;
}

test("a client sees every active tool with its schema and the annotations for its risk and effects", async (t) => {
  const { client } = await connectMcp(t, createPlace(t));
  const { tools } = await client.listTools();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  assert.ok(byName.size > 10);
  assert.equal(byName.get("read_file")?.inputSchema.type, "object");
  assert.deepEqual(byName.get("read_file")?.annotations, { readOnlyHint: true, openWorldHint: false });
  const { annotations: shell } = byName.get("shell") ?? {};
  assert.deepEqual(shell, { readOnlyHint: false, destructiveHint: true });
});

test("a handshake is answered, and tools are listed, while a program hangs at --schema", async (t) => {
  const place = createPlace(t);
  // The source gives each program a second; fifty that hang take longer than a first list waits.
  const hanging = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`hang_${index}`, "#!/bin/sh\nexec sleep 60\n"]),
  );
  toolsOf(place.home, { ...hanging, fine: shellTool(schemaOf("fine"), "echo '{}'") });
  const startedAt = performance.now();
  const { client } = await connectMcp(t, place);
  const connectedMs = performance.now() - startedAt;
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "read_file"));
  const listedMs = performance.now() - startedAt;
  assert.ok(connectedMs < listedMs);
  assert.ok(listedMs < 15_000, `the list took ${listedMs} ms`);
});

test("a tool that is added while a client is connected is announced and listed", async (t) => {
  const place = createPlace(t);
  const folder = toolsOf(place.home, {});
  const { client, heard } = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  await client.listTools();
  heard.splice(0);
  writeProgram(folder, "word_count", shellTool(schemaOf("word_count"), `echo '{"words": 3}'`));
  for (let names: readonly string[] = []; !names.includes("word_count");) {
    await until("it is told", () =>
      heard.some(({ method }) => method === "notifications/tools/list_changed"),
    );
    heard.splice(0);
    names = (await client.listTools()).tools.map(({ name }) => name);
  }
  assert.deepEqual((await client.callTool({ name: "word_count", arguments: {} })).structuredContent, {
    words: 3,
  });
});

test("with many tools a client sees the search tools, and then the tools it has activated", async (t) => {
  const place = createPlace(t);
  const many = Array.from({ length: 12 }, (_, index) => `extra_${index}`);
  toolsOf(place.home, Object.fromEntries(many.map((name) => [name, shellTool(schemaOf(name), "echo '{}'")])));
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ toolLimit: 10 }));
  const { client, heard } = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  const names = async (): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).sort();
  const about = ["activate_tools", "load_skill", "read_artifact", "search_tools"];
  const first = await names();
  assert.deepEqual(
    first.filter((name) => !many.includes(name)),
    about,
    "the built-in tools are too many",
  );
  assert.ok(first.length < 10 && !first.includes("extra_7"), first.join(" "));
  const found = await client.callTool({ name: "search_tools", arguments: { query: "extra_7" } });
  assert.match(textOf(found), /extra_7 \[not active/);
  await client.callTool({ name: "activate_tools", arguments: { tools: ["extra_7"] } });
  await until("it is told", () => heard.some(({ method }) => method === "notifications/tools/list_changed"));
  assert.deepEqual(await names(), [...first, "extra_7"].sort());
  const again = await client.callTool({ name: "search_tools", arguments: { query: "extra_7" } });
  assert.doesNotMatch(textOf(again), /extra_7 \[not active/);
});

test("only the named tools are offered", async (t) => {
  const { client } = await connectMcp(t, createPlace(t), { args: ["--tools", "read_*, grep"] });
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => !/^read_|^grep$/.test(name)),
    [],
  );
  assert.ok(tools.some(({ name }) => name === "grep") && tools.length >= 3);
});

test("an unknown tool is a protocol error with similar names", async (t) => {
  const { client } = await connectMcp(t, createPlace(t));
  await assert.rejects(client.callTool({ name: "read_fil", arguments: {} }), /did you mean read_file/);
});

test("invalid input is answered as a tool error that says what is wrong", async (t) => {
  const { client } = await connectMcp(t, createPlace(t));
  const result = await client.callTool({ name: "read_file", arguments: { path: 5, start_line: "x" } });
  assert.equal(result.isError, true);
  assert.match(textOf(result), /start_line/);
});

test(
  "when the client goes away the program ends with what it had started",
  { skip: withoutProc },
  async (t) => {
    const { client, pid } = await connectProcess(t, createPlace(t), { args: ["--mode", "yolo"] });
    const { command, mark } = longCommand();
    const call = client.callTool({ name: "shell", arguments: { command } }).catch(() => undefined);
    await until("it runs", () => processesWith(mark).length > 0);
    await client.close();
    await call;
    await until("both are gone", () => !isRunning(pid) && processesWith(mark).length === 0);
  },
);

/** Counts words, in chunks of any size. */
const TALKING = `for word in $(seq 1000); do echo "{\\"progress\\":\\"word $word\\"}" >&2; done; echo '"done"'`;

test("endless output of a tool is logged at a limited rate, and skipped lines are counted", async (t) => {
  const place = createPlace(t);
  toolsOf(place.home, { talk: shellTool(schemaOf("talk"), TALKING) });
  const { client, heard } = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  await client.listTools();
  const result = await client.callTool({ name: "talk", arguments: {} });
  assert.notEqual(result.isError, true, textOf(result));
  const told = heard
    .filter(({ method }) => method === "notifications/message")
    .map(({ params }) => String((params as { readonly data: unknown }).data));
  const words = told.filter((text) => text.startsWith("word "));
  const leftOut = told.map((text) =>
    Number(/^(\d+) log messages? (?:was|were) left out$/.exec(text)?.[1] ?? 0),
  );
  assert.equal(words.at(-1), "word 1000");
  assert.equal(words.length + leftOut.reduce((sum, one) => sum + one, 0), 1000, JSON.stringify(told));
  assert.ok(words.length < 1000, "not all of them are told");
});

test("on a signal it exits cleanly, and standard output carries only the protocol", async (t) => {
  const place = createPlace(t);
  const { child, finished, shown } = startCli(place, ["mcp", "--verbose"]);
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify(message)}\n`);
  send({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  child.stdin?.write("this is not JSON\n[]\n");
  send({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "think", arguments: { thought: "x" } },
  });
  const answer = (id: number): RegExp => new RegExp(`"id":${id}[,}]`);
  await until("it has answered", () => answer(2).test(shown.stdout));
  child.kill("SIGTERM");
  const { code, stdout } = await finished;
  assert.equal(code, 0);
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id?: number; result?: object; error?: { code: number } });
  assert.equal(messages.filter(({ id }) => id === 1).length, 1, "the handshake has one answer");
  assert.match(JSON.stringify(messages[0]?.result), /"protocolVersion":"2025-11-25"/);
  assert.deepEqual(
    messages.flatMap(({ error }) => error?.code ?? []).toSorted((a, b) => b - a),
    [-32_600, -32_700],
  );
});

for (const isModern of [false, true])
  test(
    `on a signal a running call is answered, ${isModern ? "without" : "with"} a handshake`,
    { skip: withoutProc },
    async (t) => {
      const { client, pid } = await connectProcess(t, createPlace(t), { args: ["--mode", "yolo"], isModern });
      const { command, mark } = longCommand();
      const call = client.callTool({ name: "shell", arguments: { command } });
      await until("it runs", () => processesWith(mark).length > 0);
      process.kill(pid, "SIGTERM");
      const { isError, content } = await call;
      assert.equal(isError, true);
      assert.match(JSON.stringify(content), /Toolwright was stopped during the call/);
      await until("it is gone", () => !isRunning(pid) && processesWith(mark).length === 0);
    },
  );

test("a client that sends everything at once and closes its output gets all answers", async (t) => {
  const place = createPlace(t);
  const messages = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    {
      jsonrpc: "2.0",
      id: "two",
      method: "tools/call",
      params: { name: "think", arguments: { thought: "x" } },
    },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { code, stdout } = await runCli(place, ["mcp"], { input });
  assert.equal(code, 0);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly id: unknown });
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, "two"],
  );
});

test("a named folder is the workspace", async (t) => {
  const place = createPlace(t);
  mkdirSync(join(place.folder, "inner"));
  const { client } = await connectMcp(t, place, {
    args: ["--folder", join(place.folder, "inner"), "--mode", "yolo"],
  });
  const { structuredContent } = await client.callTool({ name: "shell", arguments: { command: "pwd" } });
  assert.equal((structuredContent as { readonly stdout: string }).stdout, `${join(place.folder, "inner")}\n`);
});
