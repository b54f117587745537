// The types of `builtIn` are those of the data that the tools return.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolResult } from "../../src/core/result.ts";
import { createValidator } from "../../src/schema/validate.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { builtIn } from "../../src/tools/built-in-named.ts";
import { call, textOf } from "../support/engines/engine.ts";
import { GOOD, makeArtifact, open, startBackground } from "../support/examples/every-tool.ts";

const typed = new Map(
  Object.values(builtIn).map((one) => [one.name, createValidator(one.data, { coerce: false })]),
);

/** Asserts that the data fits the schema that types it for the library. */
function assertData(name: string, result: ToolResult): void {
  const schema = typed.get(name);
  if (schema === undefined || !result.ok) return;
  const checked = schema.check(structuredClone(result.data ?? null));
  assert.ok(checked.ok, `${name}: ${JSON.stringify(result.data)}: ${JSON.stringify(checked)}`);
}

test("the data of every tool fits the schema that types it", async (context) => {
  for (const name of typed.keys()) {
    const { engine } = open(context);
    const result = await engine.run(call(name, await GOOD[name]?.(engine)));
    assert.ok(result.ok, `${name}: ${textOf(result)}`);
    assertData(name, result);
  }
});

test("the data of tools that answer in several ways fits the schema that types it", async (context) => {
  const { engine } = open(context, "large");
  const id = await startBackground(engine);
  const artifact = await makeArtifact(engine);
  for (const [name, input] of [
    ["read_file", { path: "dot.png" }],
    ["read_file", { path: "long" }],
    ["read_many_files", { paths: ["text", "missing"] }],
    ["grep", { pattern: "needle", output: "files" }],
    ["grep", { pattern: "needle", output: "count" }],
    ["grep", { pattern: "no such text" }],
    ["str_replace_editor", { command: "view", path: "text" }],
    ["str_replace_editor", { command: "view", path: "many" }],
    ["str_replace_editor", { command: "create", path: "made", content: "x" }],
    ["write_file", { path: "typed", content: "a\n\tb\n" }],
    ["edit_file", { path: "typed", old_string: "a \n    b", new_string: "c" }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Delete File: typed\n*** End Patch" }],
    ["shell", { command: "sleep 30", background: true }],
    ["shell", { command: "echo hi", terminal_id: "t" }],
    ["python_action", { action: "new_session", session_id: "own" }],
    ["python_action", { action: "execute", session_id: "own", code: "1 / 0" }],
    ["python_action", { action: "list_sessions" }],
    ["python_action", { action: "close", session_id: "own" }],
    ["view_background_processes", {}],
    ["view_background_processes", { id }],
    ["memory", { action: "set", key: "k", value: "v" }],
    ["memory", { action: "get", key: "k" }],
    ["memory", { action: "list" }],
    ["memory", { action: "delete", key: "k" }],
    ["read_artifact", { id: artifact, pattern: "99" }],
    ["load_skill", { skill: "list" }],
    ["think", { thought: "hm" }],
    ["read_reasoning", {}],
    [
      "batch",
      {
        invocations: [
          { tool: "ls", arguments: {} },
          { tool: "read_file", arguments: { path: "no" } },
        ],
      },
    ],
  ] as const) {
    const result = await engine.run(call(name, input));
    assert.ok(result.ok, `${name}: ${textOf(result)}`);
    assertData(name, result);
  }
});

test("every built-in tool that returns data is typed for the library, and no provider is shown the types", (context) => {
  const { tools } = open(context);
  const families = new Set(builtInTools({ root: "/", environment: {} }).map(({ name }) => name));
  assert.deepEqual(
    [...families].filter((name) => !typed.has(name)),
    ["think"],
  );
  assert.deepEqual(
    tools.filter(({ output }) => output !== undefined),
    [],
  );
});
