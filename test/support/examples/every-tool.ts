import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after } from "node:test";
import { CurrentAgent, provide } from "../../../src/core/context.ts";
import { ConversationKey } from "../../../src/core/agent/conversation.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Tool } from "../../../src/core/tool.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import { createSkills } from "../../../src/app/host/skills/skills.ts";
import { createMemoryArtifacts } from "../../../src/store/in-memory.ts";
import { childEnvironment } from "../../../src/system/process/environment.ts";
import { agentTools } from "../../../src/tools/agents/family.ts";
import { builtInTools } from "../../../src/tools/built-in.ts";
import { sessionTools } from "../../../src/tools/session/family.ts";
import { testConversation } from "../agents/conversation.ts";
import { call, textOf } from "../engines/engine.ts";
import { writeSkill } from "../agents/skills.ts";
import { temporaryFolder, type Ending } from "../temporary-folder.ts";
import { SCOUT, fakeTeam } from "../agents/fake-team.ts";

export interface Place {
  readonly engine: Engine;
  readonly tools: readonly Tool[];
}

const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
  "base64",
);
const LONG_TEXT = `${"a long line of text ".repeat(12)}\n`.repeat(4000);

/** Answers `web_fetch` with a page and `web_search` with no results. */
const server = createServer((_, response) => response.end('{"results": []}')).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  server.closeAllConnections();
  server.close();
});
const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** Every test has its own workspace: small by default, or with a long text and many files. */
export function open(context: Ending, size: "large" | "small" = "small"): Place {
  const root = realpathSync(temporaryFolder(context));
  writeFileSync(join(root, "text"), "one\ntwo\nthree\n");
  if (size === "large") writeFileSync(join(root, "long"), LONG_TEXT);
  writeFileSync(join(root, "dot.png"), DOT);
  mkdirSync(join(root, "many"));
  for (let index = 0; index < (size === "large" ? 1200 : 3); index += 1)
    writeFileSync(join(root, "many", `f${index}`), "needle\n");
  const environment = childEnvironment(process.env);
  const trashFolder = join(temporaryFolder(context), "trash");
  writeSkill(join(root, "skills"), "greeting");
  const skills = createSkills([{ path: join(root, "skills") }]);
  const tools = [
    ...builtInTools({
      root,
      environment,
      trashFolder,
      skills,
      checkpointsFolder: join(root, ".kept/checkpoints"),
      reportsFolder: join(root, ".kept/reports"),
      web: { privateHosts: [new URL(page).host], search: { service: "searxng", url: page } },
    }),
    ...sessionTools({ skills, dumpsFolder: join(root, "dumps") }),
    ...agentTools(),
  ];
  const team = fakeTeam().context();
  const provided = [provide(ConversationKey, testConversation()), provide(CurrentAgent, SCOUT), ...team];
  const artifacts = createMemoryArtifacts();
  const engine = createEngine({ mode: "yolo", workspace: [root], artifacts, tools, context: provided });
  engine.groups.activate("agents");
  engine.groups.activate("proxy");
  context.after(() => engine.close());
  return { engine, tools };
}

/** A valid call of every tool; `prepare` creates what it needs. */
export const GOOD: Readonly<Record<string, (engine: Engine) => Promise<JsonObject> | JsonObject>> = {
  glob: () => ({ pattern: "*", path: "many" }),
  ls: () => ({ path: "." }),
  grep: () => ({ pattern: "two", include: "text", path: "." }),
  read_file: () => ({ path: "text", start_line: 2, limit: 1 }),
  read_many_files: () => ({ paths: ["text"], start_line: 1, limit: 1 }),
  write_file: () => ({ path: "new", content: "text" }),
  edit_file: () => ({ path: "text", old_string: "two", new_string: "2" }),
  file_multi_edit: () => ({ path: "text", edits: [{ old_string: "three", new_string: "3" }] }),
  apply_patch: () => ({ patch: "*** Begin Patch\n*** Add File: added\n+text\n*** End Patch" }),
  str_replace_editor: () => ({ command: "str_replace", path: "text", old_string: "one", new_string: "1" }),
  delete_file: () => ({ path: "many", recursive: true }),
  shell: () => ({ command: "echo out", timeout_seconds: 5, cwd: "." }),
  view_background_processes: () => ({}),
  stop_background_process: async (engine) => ({ id: await startBackground(engine) }),
  python_action: () => ({ action: "execute", code: "print(1)\n2", timeout_seconds: 60 }),
  batch: () => ({ invocations: [{ tool: "ls", arguments: {} }] }),
  run_code: () => ({ code: "return (await tools.ls({ path: '.' })).data", timeout_seconds: 60 }),
  web_fetch: () => ({ url: page, format: "text" }),
  web_search: () => ({ query: "text", max_results: 1 }),
  image_recognition: () => ({ path: "dot.png", prompt: "What is it?" }),
  list_requests: () => ({ filter: "resp.code.eq:200" }),
  view_request: async (engine) => ({ request_id: await makeRequest(engine), part: "response" }),
  send_request: () => ({ method: "GET", url: page, timeout_seconds: 60 }),
  repeat_request: async (engine) => ({
    request_id: await makeRequest(engine),
    modifications: { headers: { "x-seen": "1", accept: null } },
    timeout_seconds: 60,
  }),
  scope_rules: () => ({ action: "create", scope_name: "shop", allowlist: ["127.0.0.1"] }),
  list_sitemap: () => ({ depth: 1 }),
  view_sitemap_entry: async (engine) => {
    await makeRequest(engine);
    return { entry_id: page };
  },
  memory: () => ({ action: "set", key: "editor", value: "vim" }),
  remember: () => ({ key: "editor", value: "vim", category: "preference" }),
  read_reasoning: () => ({ limit: 2 }),
  create_goal: () => ({ description: "ship it", priority: "high", subtasks: ["build", "test"] }),
  switch_goal: () => ({ action: "new", description: "something else" }),
  complete_goal: async (engine) => {
    await engine.run(call("create_goal", { description: "ship it" }));
    return { summary: "shipped", artifacts: ["dist"] };
  },
  create_checkpoint: () => ({ description: "works", files_modified: ["text"], tests_added: ["one"] }),
  record_decision: () => ({ description: "database", rationale: "SQLite: it is there", locked: true }),
  todo_read: () => ({}),
  todo_write: () => ({ todos: [{ content: "build", status: "in_progress", priority: "high" }] }),
  write_todos: () => ({ action: "add", task: "build" }),
  create_note: () => ({ title: "login", content: "has no rate limit", tags: ["auth"] }),
  list_notes: () => ({ search: "login" }),
  update_note: async (engine) => ({ note_id: await makeNote(engine), content: "has one now" }),
  delete_note: async (engine) => ({ note_id: await makeNote(engine) }),
  think: () => ({ thought: "first this, then that" }),
  create_vulnerability_report: () => ({
    title: "SQL injection in login",
    description: "The name is put into a query.",
    impact: "All accounts can be read.",
    target: "https://shop.example",
    technical_analysis: "The query is made from text.",
    poc_description: "Send a quote as the name.",
    poc_script: 'curl -d "name=\'" https://shop.example/login',
    remediation_steps: "Use parameters.",
    cvss_vector: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H",
  }),
  finish_scan: () => ({
    executive_summary: "Nothing was found.",
    methodology: "By hand.",
    technical_analysis: "Nothing to add.",
    recommendations: "Go on so.",
  }),
  search_tools: () => ({ query: "read a file", limit: 3 }),
  activate_tools: () => ({ groups: ["about"], tools: ["ls"] }),
  read_artifact: async (engine) => ({ id: await makeArtifact(engine), start: 0, length: 10 }),
  load_skill: () => ({ skill: "greeting" }),
  trigger_hot_swap: () => ({ skills: ["greeting"] }),
  write_memory_dump: () => ({ content: "text", filename: "dump.md" }),
  subagent: () => ({ task: "Look around.", tools: ["ls"], max_turns: 3 }),
  create_agent: () => ({ name: "second", task: "Look around.", inherit_context: false, skills: [] }),
  send_message_to_agent: () => ({ target_agent_id: "lead", message: "Hello.", priority: "high" }),
  wait_for_message: () => ({ timeout_seconds: 5, from_agents: ["lead"] }),
  view_agent_graph: () => ({}),
  agent_finish: () => ({ result_summary: "Nothing there.", findings: [], success: true }),
};

export async function startBackground(engine: Engine): Promise<string> {
  const result = await engine.run(call("shell", { command: "sleep 30", background: true }));
  assert.ok(result.ok, textOf(result));
  return (result.data as { id: string }).id;
}

async function makeRequest(engine: Engine): Promise<string> {
  const result = await engine.run(call("send_request", { method: "GET", url: page }));
  assert.ok(result.ok, textOf(result));
  return (result.data as { request_id: string }).request_id;
}

async function makeNote(engine: Engine): Promise<string> {
  const result = await engine.run(call("create_note", { title: "login", content: "has no rate limit" }));
  assert.ok(result.ok, textOf(result));
  return (result.data as { note_id: string }).note_id;
}

export async function makeArtifact(engine: Engine): Promise<string> {
  const result = await engine.run(call("shell", { command: "seq 100000" }));
  return result.meta.truncated?.artifactId ?? "";
}
