// A package of tools may bring its own copy of this package: the built one stands for it here, and the sources for the program's.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as other from "toolwright";
import { call, textOf } from "./support/engines/engine.ts";
import { Reply } from "../src/core/content.ts";
import { createEngine } from "../src/engine/engine.ts";
import { defineTool } from "../src/schema/define/define-tool.ts";
import { object, string } from "../src/schema/define/schema.ts";

const low = { name: "t", description: "d", reading: true } as const;

test("they are two copies", () => {
  assert.notEqual(other.Reply, Reply);
  assert.notEqual(other.optional, object);
});

test("a Reply of the other copy is a Reply, and an instance of a class of the program's is only that", async () => {
  class Own extends Reply {}
  const theirs = new other.Reply("shown", { data: { a: 1 } });
  assert.ok(theirs instanceof Reply && new Reply("x") instanceof other.Reply);
  assert.ok(new Own("x") instanceof Own && new Own("x") instanceof Reply);
  assert.ok(!(theirs instanceof Own) && !({ content: [] } instanceof Reply));
  const engine = createEngine({ tools: [defineTool({ ...low, run: () => theirs })] });
  const result = await engine.run(call("t"));
  assert.deepEqual([textOf(result), result.ok && result.data], ["shown", { a: 1 }]);
});

test("a tool of the other copy runs, with its optional parameters, presets and errors", async () => {
  const input = other.object({
    key: other.string(),
    city: other.string(),
    days: other.optional(other.number(), 2),
  });
  const tool = other.defineTool({
    ...low,
    input,
    run: ({ key, city, days }) => {
      if (city === "") throw new other.ToolError("UNAVAILABLE", "no city", { hint: "name one" });
      return `${key} ${city} ${days}`;
    },
  });
  const engine = createEngine();
  engine.add(tool, {
    // The types of marks are those of one copy.
    presets: { key: other.preset("k", { isSecret: false }), city: other.overridable("Oslo") } as never,
  });
  assert.deepEqual(Object.keys((engine.list()[0]?.input["properties"] ?? {}) as object), ["city", "days"]);
  assert.equal(textOf(await engine.run(call("t"))), "k Oslo 2");
  assert.equal(textOf(await engine.run(call("t", { city: "" }))), "Error: no city\nname one");
});

test("optional() of the other copy makes a parameter of this copy's object optional", () => {
  const schema = object({ a: other.optional(string()), b: string() });
  assert.deepEqual(schema["required"], ["b"]);
});
