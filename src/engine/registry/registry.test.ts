import assert from "node:assert/strict";
import { test } from "node:test";
import { add, call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import type { JsonObject } from "../../core/json.ts";
import { createPolicy } from "../../policy/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

function named(name: string, aliases: readonly string[] = [], answer = name) {
  return defineTool({ name, description: "", aliases, risk: "low", run: () => answer });
}

for (const [what, first, second] of [
  ["a name", named("a"), named("a")],
  ["a name that is an alias", named("a", ["b"]), named("b")],
  ["an alias that is a name", named("b"), named("a", ["b"])],
  ["an alias that is an alias", named("a", ["c"]), named("b", ["c"])],
] as const) {
  test(`${what} that is taken throws and changes nothing`, async () => {
    const engine = createEngine({ tools: [first] });
    assert.throws(() => engine.add([named("other"), second]), { code: "INVALID_INPUT" });
    assert.deepEqual(
      engine.list().map(({ name }) => name),
      [first.name],
    );
    assert.equal(codeOf(await engine.run(call("other"))), "TOOL_NOT_FOUND");
  });
}

test("a name twice in one list throws", () => {
  assert.throws(() => createEngine({ tools: [named("a"), named("a")] }), { code: "INVALID_INPUT" });
});

test("replace swaps a tool and its aliases in one step", async () => {
  const engine = createEngine({ tools: [named("a", ["old"], "first")] });
  engine.add(named("a", ["new"], "second"), { replace: true });
  assert.equal(textOf(await engine.run(call("a"))), "second");
  assert.equal(textOf(await engine.run(call("new"))), "second");
  assert.equal(codeOf(await engine.run(call("old"))), "TOOL_NOT_FOUND");
});

test("replace does not take a name from another tool", () => {
  const engine = createEngine({ tools: [named("a"), named("b")] });
  assert.throws(() => engine.add(named("a", ["b"]), { replace: true }), { code: "INVALID_INPUT" });
});

test("a removed tool's aliases go with it", async () => {
  const engine = createEngine({ tools: [named("a", ["b"])] });
  engine.remove("a");
  assert.equal(codeOf(await engine.run(call("b"))), "TOOL_NOT_FOUND");
  engine.add(named("b"));
  assert.equal(textOf(await engine.run(call("b"))), "b");
});

for (const name of ["", "has space", "tab\tbed", "new\nline", "x".repeat(129), "\u202Eevil"]) {
  test(`${JSON.stringify(name.slice(0, 12))} is an invalid tool name`, () => {
    assert.throws(() => createEngine({ tools: [named(name)] }), { code: "INVALID_INPUT" });
  });
}

test("prototype names are ordinary names", async () => {
  const engine = createEngine({ tools: [named("constructor"), named("__proto__")] });
  assert.equal(textOf(await engine.run(call("__proto__"))), "__proto__");
  assert.equal(codeOf(await engine.run(call("toString"))), "TOOL_NOT_FOUND");
});

test("a parameter alias must lead to a parameter and must not be one", () => {
  const base = {
    name: "t",
    description: "",
    input: object({ path: string(), text: string() }),
    run: () => "",
  };
  assert.throws(() => createEngine({ tools: [defineTool({ ...base, parameterAliases: { file: "nope" } })] }));
  assert.throws(() => createEngine({ tools: [defineTool({ ...base, parameterAliases: { text: "path" } })] }));
});

test("a preset of a parameter that the tool does not have throws", () => {
  assert.throws(() => createEngine().add(add, { presets: { c: 1 } }), /no parameter "c"/);
});

test("presets of a list are keyed by the tool's name", async () => {
  const echo = (name: string) =>
    defineTool({
      name,
      description: "",
      input: object({ key: string() }),
      risk: "low",
      run: ({ key }) => key.length,
    });
  const engine = createEngine();
  engine.add([echo("one"), echo("two")], { presets: { one: { key: "first" }, two: { key: "second!" } } });
  assert.equal(textOf(await engine.run(call("one"))), "5");
  assert.equal(textOf(await engine.run(call("two"))), "7");
});

test("listeners receive events for added and removed tools", () => {
  const engine = createEngine();
  const events = eventsOf(engine);
  engine.add(named("a"));
  engine.remove("a");
  assert.equal(events.length, 2);
  assert.partialDeepStrictEqual(events, [
    { type: "tool.added", name: "a", source: "app" },
    { type: "tool.removed", name: "a", source: "app" },
  ]);
});

test("a spec holds nothing that cannot be sent over a wire", () => {
  const engine = createEngine({ tools: [add] });
  const [spec] = engine.list();
  assert.deepEqual(JSON.parse(JSON.stringify(spec)), spec as unknown as JsonObject);
});

test("a name that a provider refuses is shown in a safe form, and a call by that form finds the tool", async () => {
  const engine = createEngine({ tools: [named("files.read/all"), named("files_read_all")] });
  for (const format of ["openai", "anthropic", "google"] as const) {
    const shown = engine.specs(format).map((tool) => ("function" in tool ? tool.function : tool).name);
    assert.equal(new Set(shown).size, 2);
    for (const [index, name] of shown.entries()) {
      assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
      assert.equal(textOf(await engine.run(call(name))), ["files.read/all", "files_read_all"][index]);
    }
  }
});

test("a parameter that a provider refuses is shown in a safe form, and a call with it reaches the tool", async () => {
  const tool = defineTool({
    name: "t",
    description: "",
    input: { type: "object", properties: { "auth-method": { type: "string" } } },
    risk: "low",
    run: (input) => input["auth-method"] ?? "absent",
  });
  const engine = createEngine({ tools: [tool] });
  const [shown] = engine.specs("google") as readonly { parameters: { properties: object } }[];
  const [key = ""] = Object.keys(shown?.parameters.properties ?? {});
  assert.notEqual(key, "auth-method");
  assert.equal(textOf(await engine.run(call("t", { [key]: "password" }))), "password");
});

test("a rule about a group holds for a tool that was put into it", async () => {
  const layer = { name: "host", mayAllow: true, rules: [{ group: "admin", decision: "deny" }] } as const;
  const engine = createEngine({ policy: createPolicy({ mode: "yolo", workspace: [], layers: [layer] }) });
  engine.add(defineTool({ name: "drop", description: "", run: () => "dropped" }), { group: "admin" });
  engine.add(defineTool({ name: "keep", description: "", run: () => "kept" }));
  assert.equal(codeOf(await engine.run(call("drop"))), "DENIED");
  assert.equal(codeOf(await engine.run(call("keep"))), "ok");
});
