import assert from "node:assert/strict";
import { test } from "node:test";
import { call, eventsOf, textOf } from "../../../test/support/engine.ts";
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
  for (const value of ["swordfish", overridable("swordfish"), preset("swordfish", { isSecret: false })])
    assert.throws(() => createEngine().add(tool, { presets: { n: value } }), {
      code: "INVALID_INPUT",
      message: 'the preset for "n" of tool "t" does not match its schema: expected integer',
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
