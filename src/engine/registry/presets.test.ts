import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { createEngine } from "../engine.ts";
import { overridable, preset } from "./presets.ts";

test("a preset that is not a secret is hidden and final, but not masked", async () => {
  const echo = defineTool({
    name: "echo",
    description: "d",
    risk: "low",
    input: object({ region: string(), key: string() }),
    run: ({ region, key }) => `${region} ${key}`,
  });
  const engine = createEngine();
  engine.add(echo, { presets: { region: preset("eu-west-1", { isSecret: false }), key: "key-1234567890" } });
  assert.deepEqual(engine.list()[0]?.input["properties"], {});
  assert.equal(textOf(await engine.run(call("echo"))), "eu-west-1 ⟦masked⟧");
  assert.equal((await engine.run(call("echo", { region: "us" }))).ok, false);
});

test("a tool with masks: false returns its credential to the caller, and events and the journal have it masked", async () => {
  const token = `ghp_${"a1".repeat(15)}`;
  const journal = createMemoryJournal();
  const tool = defineTool({ name: "t", description: "d", risk: "low", masks: false, run: () => ({ token }) });
  const engine = createEngine({ tools: [tool], journal });
  const events = eventsOf(engine);
  const result = await engine.run(call("t"));
  assert.deepEqual(result.ok && result.data, { token });
  assert.match(textOf(result), new RegExp(token));
  assert.doesNotMatch(JSON.stringify([events, await journal.list()]), new RegExp(token));
});

test("a tool knows the number of its attempt and a key that is the same for all attempts of one call", async () => {
  const seen: (readonly [number, string])[] = [];
  const tool = defineTool({
    name: "t",
    description: "d",
    risk: "low",
    effects: "idempotent",
    run: (_input, { attempt, idempotencyKey }) => {
      seen.push([attempt, idempotencyKey]);
      if (attempt === 1) throw Object.assign(new Error("down"), { code: "ECONNRESET" });
      return "ran";
    },
  });
  const engine = createEngine({ tools: [tool], retry: { firstWaitMs: 1 } });
  await engine.run(call("t"));
  await engine.run(call("t"));
  assert.deepEqual(
    seen.map(([attempt]) => attempt),
    [1, 2, 1, 2],
  );
  const [first, second, other] = seen.map(([, key]) => key);
  assert.equal(first, second);
  assert.notEqual(first, other);
});

test("a preset that does not match the schema of its parameter is refused when the tool is added, and is not shown", () => {
  const tool = defineTool({
    name: "t",
    description: "d",
    input: object({ n: integer(), s: string() }),
    run: () => 1,
  });
  for (const value of [
    "swordfish",
    overridable("swordfish"),
    preset("swordfish", { isSecret: false }),
    null,
    undefined as never,
  ])
    assert.throws(() => createEngine().add(tool, { presets: { n: value } }), {
      code: "INVALID_INPUT",
      message: /^the preset for "n" of tool "t" does not match its schema: expected (?:integer|.*n)/,
    });
});

test("a preset is coerced like input", async () => {
  const input = object({ n: integer(), m: optional(integer()) });
  const tool = defineTool({ name: "t", description: "d", risk: "low", input, run: (given) => given });
  const engine = createEngine();
  engine.add(tool, { presets: { n: "5", m: overridable("6") } });
  const result = await engine.run(call("t"));
  assert.deepEqual(result.ok && result.data, { n: 5, m: 6 });
});

test("a secret that is coerced is masked as the text that was given", async () => {
  const input = object({ pin: integer() });
  const run = ({ pin }: { pin: number }): string => `the pin is ${pin}`;
  const engine = createEngine();
  engine.add(defineTool({ name: "t", description: "d", risk: "low", input, run }), {
    presets: { pin: "12345678" },
  });
  assert.equal(textOf(await engine.run(call("t"))), "the pin is ⟦masked⟧");
});

test("a preset is checked alone: what the schema demands of other parameters is checked with the call", async () => {
  const input = {
    type: "object",
    properties: { id: { type: "string" }, ids: { type: "array" }, limit: { type: "integer" }, unit: {} },
    anyOf: [{ required: ["ids"] }, { required: ["unit"] }],
    if: { properties: { unit: { const: "percent" } } },
    then: { properties: { limit: { maximum: 100 } } },
  } as const;
  const tool = defineTool({ name: "t", description: "d", risk: "low", input, run: (given) => given });
  const engine = createEngine();
  engine.add(tool, { presets: { id: preset("a", { isSecret: false }), limit: 500 } });
  assert.equal(codeOf(await engine.run(call("t", { unit: "count" }))), "ok");
});
