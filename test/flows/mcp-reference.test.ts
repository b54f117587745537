import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { JsonObject } from "../../src/core/json.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { createMcpServers } from "../../src/sources/mcp/registry.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { call, codeOf, textOf } from "../support/engines/engine.ts";
import { mcpEngine, referenceServer, type McpEngine } from "../support/servers/mcp.ts";
import { names } from "../support/engines/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SIGNAL = new AbortController().signal;
const approver = {
  ask: async () => ({ approved: true, scope: "once", input: { name: "Ada" } }) as const,
};

/** For a test's `skip`: false if the server is installed. */
function withoutServer(name: string): string | false {
  const found = referenceServer(name);
  return "missing" in found ? found.missing : false;
}

async function start(
  t: TestContext,
  name: string,
  args: readonly string[],
  folder: string,
): Promise<McpEngine> {
  const found = referenceServer(name);
  assert.ok("path" in found);
  const environment = { ...childEnvironment(process.env), MEMORY_FILE_PATH: join(folder, "memory.json") };
  const server = {
    kind: "stdio",
    command: process.execPath,
    args: [found.path, ...args],
    environment,
  } as const;
  const options = { name, server: { ...server, cwd: folder }, roots: [folder], connectTimeoutMs: 60_000 };
  return mcpEngine(t, options, { approver });
}

/** Calls every tool of a server once; a tool that is not in the table fails the test. */
async function callAll(
  { engine }: McpEngine,
  server: string,
  inputs: Readonly<Record<string, JsonObject>>,
): Promise<ReadonlyMap<string, ToolResult>> {
  assert.deepEqual(engine.sources.problems(), []);
  assert.deepEqual(
    names(engine).toSorted(),
    Object.keys(inputs)
      .map((tool) => `${server}__${tool}`)
      .toSorted(),
  );
  const results = new Map<string, ToolResult>();
  for (const [tool, input] of Object.entries(inputs)) {
    const result = await engine.run(call(`${server}__${tool}`, input));
    assert.equal(codeOf(result), "ok", `${tool}: ${textOf(result)}`);
    results.set(tool, result);
  }
  return results;
}

test("every tool of server-everything works", { skip: withoutServer("everything") }, async (t) => {
  const folder = temporaryFolder(t);
  const started = await start(t, "everything", ["stdio"], folder);
  const results = await callAll(started, "everything", {
    echo: { message: "hi" },
    "get-annotated-message": { messageType: "error", includeImage: true },
    "get-env": {},
    "get-resource-links": { count: 2 },
    "get-resource-reference": { resourceType: "Blob", resourceId: 2 },
    "get-structured-content": { location: "New York" },
    "get-sum": { a: 2, b: "3" },
    "get-tiny-image": {},
    "gzip-file-as-resource": { name: "a.gz", data: "data:text/plain;base64,aGk=", outputType: "resource" },
    "toggle-simulated-logging": {},
    "toggle-subscriber-updates": {},
    "trigger-long-running-operation": { duration: 0.2, steps: 2 },
    "get-roots-list": {},
    "trigger-elicitation-request": {},
    "simulate-research-query": { topic: "toads" },
  });
  const text = (tool: string): string => textOf(results.get(tool) as ToolResult);
  assert.match(text("get-sum"), /5/);
  assert.match(text("get-roots-list"), new RegExp(folder));
  assert.match(text("trigger-elicitation-request"), /Ada/);
  assert.match(text("simulate-research-query"), /toads/);
  assert.ok(results.get("get-tiny-image")?.content.some(({ type }) => type === "image"));
  assert.ok(results.get("gzip-file-as-resource")?.content.some(({ type }) => type === "file"));
  const structured = results.get("get-structured-content");
  assert.ok(structured?.ok && structured.data !== undefined);
  const servers = createMcpServers([started.source]);
  const { items } = await servers.resources(undefined, SIGNAL);
  const resource = items.find(({ isTemplate }) => !isTemplate);
  assert.ok(resource !== undefined && items.some(({ isTemplate }) => isTemplate));
  assert.ok((await servers.readResource("everything", resource.uri, SIGNAL)).length > 0);
  const prompts = await servers.prompts(SIGNAL);
  assert.ok(prompts.items.some(({ name }) => name === "/everything:args-prompt"));
  const messages = await servers.prompt("/everything:args-prompt", { city: "Oslo" }, SIGNAL);
  assert.match(JSON.stringify(messages), /Oslo/);
});

test("every tool of server-filesystem works", { skip: withoutServer("filesystem") }, async (t) => {
  const folder = temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("a.txt"), "one\ntwo\n");
  writeFileSync(at("a.png"), Buffer.from("89504e470d0a1a0a", "hex"));
  const started = await start(t, "filesystem", [folder], folder);
  await callAll(started, "filesystem", {
    read_file: { path: at("a.txt") },
    read_text_file: { path: at("a.txt"), head: 1 },
    read_media_file: { path: at("a.png") },
    read_multiple_files: { paths: [at("a.txt")] },
    write_file: { path: at("b.txt"), content: "three" },
    edit_file: { path: at("b.txt"), edits: [{ oldText: "three", newText: "four" }] },
    create_directory: { path: at("d") },
    list_directory: { path: folder },
    list_directory_with_sizes: { path: folder },
    directory_tree: { path: folder },
    move_file: { source: at("b.txt"), destination: at("d/c.txt") },
    search_files: { path: folder, pattern: "**/*.txt" },
    get_file_info: { path: at("a.txt") },
    list_allowed_directories: {},
  });
  assert.equal(readFileSync(at("d/c.txt"), "utf8"), "four");
  const outside = await started.engine.run(call("filesystem__read_file", { path: "/etc/hostname" }));
  assert.equal(codeOf(outside), "TOOL_FAILED");
});

test("every tool of server-memory works", { skip: withoutServer("memory") }, async (t) => {
  const started = await start(t, "memory", [], temporaryFolder(t));
  const relation = { from: "Ada", to: "Bo", relationType: "knows" };
  const results = await callAll(started, "memory", {
    create_entities: {
      entities: [
        { name: "Ada", entityType: "person", observations: ["likes toads"] },
        { name: "Bo", entityType: "person", observations: [] },
      ],
    },
    create_relations: { relations: [relation] },
    add_observations: { observations: [{ entityName: "Bo", contents: ["tall"] }] },
    read_graph: {},
    search_nodes: { query: "toads" },
    open_nodes: { names: ["Ada"] },
    delete_observations: { deletions: [{ entityName: "Bo", observations: ["tall"] }] },
    delete_relations: { relations: [relation] },
    delete_entities: { entityNames: ["Ada", "Bo"] },
  });
  assert.match(textOf(results.get("search_nodes") as ToolResult), /likes toads/);
});

const THINKING = "sequential-thinking";

test("every tool of server-sequential-thinking works", { skip: withoutServer(THINKING) }, async (t) => {
  const started = await start(t, THINKING, [], temporaryFolder(t));
  const thought = { thought: "hm", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  await callAll(started, THINKING, { sequentialthinking: thought });
});
