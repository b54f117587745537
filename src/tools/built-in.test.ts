import assert from "node:assert/strict";
import { test } from "node:test";
import { isObject } from "../core/json.ts";
import { NO_SKILLS } from "../core/skills.ts";
import type { Tool } from "../core/tool.ts";
import { builtInTools } from "./built-in.ts";
import { PROXY } from "../../test/support/browser/proxy.ts";
import { sessionTools } from "./session/family.ts";

const tools = [
  ...builtInTools({ root: "/", environment: {} }),
  ...sessionTools({ skills: NO_SKILLS, dumpsFolder: "/" }),
];

/** What the catalogue says: other names, risk, place, group, effects, parameters with * where required. */
const CATALOGUE: Readonly<Record<string, readonly string[]>> = {
  glob: [
    "glob_tool",
    "low",
    "sandbox",
    "files",
    "none",
    "pattern*",
    "path",
    "include_hidden=false",
    "respect_gitignore=true",
    "max_results",
  ],
  ls: [
    "list_files",
    "low",
    "sandbox",
    "files",
    "none",
    'path="."',
    "recursive=false",
    "max_depth=3",
    "include_hidden=false",
  ],
  grep: [
    "grep_tool search_files",
    "low",
    "sandbox",
    "files",
    "none",
    "pattern*",
    "path",
    "include",
    "ignore_case=false",
    "fixed_strings=false",
    "multiline=false",
    "context_lines=0",
    'output="content"',
    "max_results",
  ],
  read_file: ["file_read", "low", "sandbox", "files", "none", "path*", "start_line=1", "limit"],
  read_many_files: ["", "low", "sandbox", "files", "none", "paths*", "start_line=1", "limit"],
  write_file: [
    "file_write",
    "medium",
    "sandbox",
    "files",
    "idempotent",
    "path*",
    "content*",
    "create_only=false",
  ],
  edit_file: [
    "file_edit",
    "medium",
    "sandbox",
    "files",
    "unsafe",
    "path*",
    "old_string",
    "new_string",
    "replace_all=false",
    "edits",
  ],
  file_multi_edit: ["", "medium", "sandbox", "files", "unsafe", "path*", "edits*"],
  apply_patch: ["", "high", "sandbox", "files", "unsafe", "patch*"],
  str_replace_editor: [
    "",
    "medium",
    "sandbox",
    "files",
    "unsafe",
    "command*",
    "path*",
    "content",
    "view_range",
    "old_string",
    "new_string",
    "insert_line",
  ],
  delete_file: ["", "high", "sandbox", "files", "unsafe", "path*", "recursive=false"],
  shell: [
    "bash terminal_execute",
    "high",
    "sandbox",
    "running",
    "unsafe",
    "command*",
    "cwd",
    "timeout_seconds=30",
    "idle_timeout_seconds",
    "outside_sandbox",
    "background=false",
    "description",
    "terminal_id",
    "is_input",
    "no_enter",
  ],
  view_background_processes: ["", "low", "sandbox", "running", "own-state", "id", 'mode="tail"', "lines=50"],
  stop_background_process: ["", "medium", "sandbox", "running", "idempotent", "id*", "grace_seconds=5"],
  python_action: [
    "",
    "high",
    "sandbox",
    "running",
    "unsafe",
    "action*",
    "code",
    "session_id",
    "timeout_seconds=30",
    "outside_sandbox",
  ],
  run_code: ["", "low", "host", "running", "unsafe", "code*", "timeout_seconds=30"],
  batch: ["", "high", "host", "running", "unsafe", "invocations*"],
  web_fetch: [
    "",
    "medium",
    "host",
    "web",
    "none",
    "url*",
    'format="markdown"',
    "selector",
    "max_chars=20000",
    "prompt",
  ],
  web_search: [
    "",
    "low",
    "host",
    "web",
    "none",
    "query*",
    "max_results=5",
    "allowed_domains",
    "blocked_domains",
  ],
  image_recognition: ["", "medium", "host", "web", "none", "path", "url", "prompt*"],
  ...PROXY,
  memory: ["", "low", "host", "memory", "own-state", "action*", "key", "value"],
  remember: ["", "low", "host", "memory", "own-state", "key*", "value*", "category"],
  read_reasoning: [
    "",
    "low",
    "host",
    "memory",
    "own-state",
    "goal_id",
    "trace_id",
    "limit=5",
    "include_archived",
  ],
  create_goal: ["", "low", "host", "memory", "own-state", "description*", "priority", "subtasks"],
  switch_goal: ["", "low", "host", "memory", "own-state", "action*", "goal_id", "description", "priority"],
  complete_goal: ["", "low", "host", "memory", "own-state", "summary*", "artifacts"],
  create_checkpoint: [
    "",
    "low",
    "host",
    "memory",
    "own-state",
    "description*",
    "files_modified",
    "tests_added",
  ],
  record_decision: [
    "",
    "low",
    "host",
    "memory",
    "own-state",
    "description*",
    "rationale*",
    "alternatives",
    "locked",
  ],
  todo_read: ["", "low", "host", "memory", "own-state"],
  todo_write: ["", "low", "host", "memory", "own-state", "todos*"],
  write_todos: ["", "low", "host", "memory", "own-state", "action*", "task", "id"],
  create_note: ["", "low", "host", "memory", "own-state", "title*", "content*", "category", "tags"],
  list_notes: ["", "low", "host", "memory", "own-state", "category", "tags", "search"],
  update_note: ["", "low", "host", "memory", "own-state", "note_id*", "title", "content", "category", "tags"],
  delete_note: ["", "low", "host", "memory", "own-state", "note_id*"],
  think: ["thinking", "low", "host", "memory", "own-state", "thought*"],
  create_vulnerability_report: [
    "",
    "low",
    "host",
    "agents",
    "own-state",
    "title*",
    "description*",
    "impact*",
    "target*",
    "technical_analysis*",
    "poc_description*",
    "poc_script*",
    "remediation_steps*",
    "cvss_vector*",
    "endpoint",
    "method",
    "cve",
    "cwe",
    "code_locations",
    "request_ids",
    "screenshot_ids",
  ],
  finish_scan: [
    "",
    "low",
    "host",
    "agents",
    "own-state",
    "executive_summary*",
    "methodology*",
    "technical_analysis*",
    "recommendations*",
    "request_ids",
    "screenshot_ids",
  ],
  search_tools: ["", "low", "host", "about", "none", "query*", "limit=8"],
  activate_tools: ["", "low", "host", "about", "own-state", "groups", "tools", "replace=false"],
  read_artifact: ["", "low", "host", "about", "none", "id*", "start", "length", "pattern"],
  load_skill: ["", "low", "host", "about", "none", "skill*"],
  trigger_hot_swap: ["", "low", "host", "about", "own-state", "skills*", "preserve_history=true"],
  write_memory_dump: ["", "low", "host", "memory", "own-state", "content", "filename"],
};

test("every tool matches the catalogue", () => {
  const described = tools.map((tool) => [tool.name, describe(tool)] as const);
  assert.deepEqual(Object.fromEntries(described), CATALOGUE);
});

function describe(tool: Tool): readonly string[] {
  const aliases = (tool.aliases ?? []).map((alias) => (typeof alias === "string" ? alias : alias.name));
  const { properties = {}, required = [] } = tool.input;
  const parameters = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    if (Array.isArray(required) && required.includes(name)) return `${name}*`;
    const fallback = isObject(schema) ? schema["default"] : undefined;
    return fallback === undefined ? name : `${name}=${JSON.stringify(fallback)}`;
  });
  return [aliases.join(" "), tool.risk, tool.place, tool.group ?? "", tool.effects, ...parameters];
}

test("every parameter has a description, and every tool a source", () => {
  for (const tool of tools) {
    assert.equal(tool.source, "built-in");
    const { properties = {} } = tool.input;
    for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
      assert(isObject(schema) && typeof schema["description"] === "string", `${tool.name}.${name}`);
    }
  }
});

test("names and aliases never collide", () => {
  const names = tools.flatMap((tool) => [
    tool.name,
    ...(tool.aliases ?? []).map((alias) => (typeof alias === "string" ? alias : alias.name)),
  ]);
  assert.equal(new Set(names).size, names.length);
});

test("aliases apply to tools that have the target and no parameter with the alias's name", () => {
  const aliasesOf = (name: string): readonly string[] =>
    Object.entries(tools.find((tool) => tool.name === name)?.parameterAliases ?? {}).map((pair) =>
      pair.join("→"),
    );
  assert.deepEqual(aliasesOf("read_file"), [
    "file_path→path",
    "directory→path",
    "offset→start_line",
    "line_limit→limit",
  ]);
  assert(aliasesOf("write_file").includes("text→content"));
  assert(aliasesOf("edit_file").includes("target→old_string"));
  assert.deepEqual(aliasesOf("shell"), ["timeout→timeout_seconds"]);
  assert.deepEqual(aliasesOf("create_note"), ["text→content", "file_text→content"]);
  assert.deepEqual(aliasesOf("think"), []);
});
