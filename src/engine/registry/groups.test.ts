import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const tool = (name: string, group?: string) =>
  defineTool({
    name,
    description: "",
    risk: "low",
    ...(group === undefined ? {} : { group }),
    run: () => name,
  });

function engineWithGroups() {
  const engine = createEngine();
  engine.groups.create("basic", { description: "Basic tools" });
  engine.groups.create("admin", { active: false });
  engine.add(tool("free"));
  engine.add(tool("read", "basic"));
  engine.add(tool("reboot"), { group: "admin" });
  return engine;
}

const names = (engine: ReturnType<typeof engineWithGroups>, session?: string): readonly string[] =>
  engine.list(session === undefined ? {} : { session }).map(({ name }) => name);

test("only active tools are listed and callable; one without a group always is", async () => {
  const engine = engineWithGroups();
  assert.deepEqual(names(engine), ["free", "read"]);
  assert.deepEqual(
    engine.specs("anthropic").map((spec) => spec["name"]),
    ["free", "read"],
  );
  const result = await engine.run(call("reboot"));
  assert.equal(codeOf(result), "TOOL_DISABLED");
  assert.match(textOf(result), /"admin"/);
});

test("all tools are listed on request", () => {
  assert.deepEqual(
    engineWithGroups()
      .list({ all: true })
      .map(({ name }) => name),
    ["free", "read", "reboot"],
  );
});

test("a switch takes effect at once, for listing and for calls", async () => {
  const engine = engineWithGroups();
  engine.groups.activate("admin");
  engine.groups.deactivate(["basic"]);
  assert.deepEqual(names(engine), ["free", "reboot"]);
  assert.equal(textOf(await engine.run(call("reboot"))), "reboot");
  assert.equal(codeOf(await engine.run(call("read"))), "TOOL_DISABLED");
});

test("a session's switches are its own", async () => {
  const engine = engineWithGroups();
  engine.session("a").groups.activate("admin");
  assert.deepEqual(names(engine, "a"), ["free", "read", "reboot"]);
  assert.deepEqual(names(engine, "b"), ["free", "read"]);
  assert.deepEqual(names(engine), ["free", "read"]);
  assert.equal(codeOf(await engine.run(call("reboot"), { session: "a" })), "ok");
  assert.equal(codeOf(await engine.run(call("reboot"), { session: "b" })), "TOOL_DISABLED");
});

test("a session follows the engine where it has set nothing itself", () => {
  const engine = engineWithGroups();
  engine.session("a").groups.deactivate("basic");
  engine.groups.activate("admin");
  assert.deepEqual(names(engine, "a"), ["free", "reboot"]);
});

test("a closed session is forgotten", async () => {
  const engine = engineWithGroups();
  engine.session("a").groups.activate("admin");
  await engine.session("a").close();
  assert.deepEqual(names(engine, "a"), ["free", "read"]);
});

test("an unknown group throws with the existing names, and switches none", () => {
  const engine = engineWithGroups();
  assert.throws(() => engine.groups.activate(["admin", "nope"]), {
    code: "INVALID_INPUT",
    hint: /basic, admin/,
  });
  assert.deepEqual(names(engine), ["free", "read"]);
});

test("a group is created once", () => {
  assert.throws(() => engineWithGroups().groups.create("basic"), /already a group "basic"/);
});

test("a group named only by a tool exists and is active", () => {
  const engine = createEngine({ tools: [tool("t", "new")] });
  assert.deepEqual(engine.groups.list(), [{ name: "new", description: "", active: true, locked: false }]);
});

test("listeners receive events for switches that changed something", () => {
  const engine = engineWithGroups();
  const events = eventsOf(engine);
  engine.groups.activate(["basic", "admin"]);
  engine.session("s").groups.deactivate("admin");
  assert.equal(events.length, 2);
  assert.partialDeepStrictEqual(events, [
    { type: "group.changed", group: "admin", active: true, session: undefined },
    { type: "group.changed", group: "admin", active: false, session: "s" },
  ]);
});
