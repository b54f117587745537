import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../../../engine/engine.ts";
import { modelTools } from "../../../agent/loop/build-request.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { agentTools } from "../../../tools/agents/family.ts";
import { builtInTools } from "../../../tools/built-in.ts";
import { call, codeOf, textOf } from "../../../../test/support/engines/engine.ts";
import { createBuiltInGroups, switchGroups } from "../sources/built-in-groups.ts";
import { reduceTools } from "./default-tools.ts";

function reduced(switches: Readonly<Record<string, boolean>> = {}): Engine {
  const engine = createEngine();
  createBuiltInGroups(engine.groups);
  engine.add([...builtInTools({ root: "/", environment: {} }), ...agentTools()]);
  assert.deepEqual(switchGroups(engine.groups, switches), []);
  reduceTools(engine, switches);
  return engine;
}

const activeIn = (engine: Engine, session?: string): readonly string[] =>
  engine.list(session === undefined ? {} : { session }).map(({ name }) => name);

test("an agent starts with the default tools and those about tools; twins are not among them", () => {
  const active = activeIn(reduced());
  for (const name of [
    "read_file",
    "edit_file",
    "apply_patch",
    "shell",
    "web_fetch",
    "todo_write",
    "subagent",
  ])
    assert.ok(active.includes(name), name);
  for (const name of ["search_tools", "activate_tools", "read_artifact", "load_skill"])
    assert.ok(active.includes(name), name);
  for (const name of ["file_multi_edit", "str_replace_editor", "write_todos", "batch", "run_code", "think"])
    assert.ok(!active.includes(name), name);
  assert.ok(active.length <= 18, active.join(" "));
});

test("the rest is activated by tool or by group, for one session", async () => {
  const engine = reduced();
  const activate = async (input: object): Promise<string> =>
    codeOf(await engine.run(call("activate_tools", input), { session: "s" }));
  assert.equal(await activate({ tools: ["read_file", "str_replace_editor"] }), "ok");
  assert.ok(activeIn(engine, "s").includes("str_replace_editor"));
  assert.ok(activeIn(engine, "s").includes("shell"), "activation adds");
  assert.equal(await activate({ groups: ["files", "running"] }), "ok");
  for (const name of ["delete_file", "read_file", "shell", "batch"])
    assert.ok(activeIn(engine, "s").includes(name), name);
  assert.ok(!activeIn(engine).includes("delete_file"));
});

test("a call of a tool that is not active says how to activate it", async () => {
  const result = await reduced().run(call("think", { thought: "x" }));
  assert.equal(codeOf(result), "TOOL_DISABLED");
  assert.match(textOf(result), /activate_tools \{"tools":\["think"\]\}/);
});

test("a group that the config switches on is whole, and one that it switches off is gone", () => {
  assert.ok(activeIn(reduced({ memory: true })).includes("create_note"));
  const off = activeIn(reduced({ files: false, agents: false }));
  assert.ok(!off.includes("read_file") && !off.includes("subagent") && off.includes("shell"));
});

test("with every other group off an agent still has subagent, until agents is off too; what is listed is what a request has", () => {
  const others = { files: false, running: false, web: false, memory: false, about: false };
  for (const [switches, names] of [
    [others, ["subagent"]],
    [{ ...others, agents: false }, []],
  ] as const) {
    const engine = reduced(switches);
    assert.deepEqual(activeIn(engine, "s"), names);
    assert.deepEqual(
      modelTools(engine, "openai", { session: "s" }).map(({ own }) => own),
      names,
    );
  }
});
