import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { call, codeOf } from "../../test/support/engines/engine.ts";
import { Reply } from "../core/content.ts";
import { detailsOf } from "../core/result.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { integer, object, oneOf, optional, string } from "../schema/define/schema.ts";
import { createEngine } from "./engine.ts";

const COMMON = { description: "d", risk: "low", effects: "none" } as const;

test("output of the builder, of Zod and of plain JSON Schema types run and the data of engine.call", async () => {
  const built = defineTool({
    ...COMMON,
    name: "built",
    input: object({ text: string(), unit: optional(oneOf(["word", "line"]), "word") }),
    output: object({ count: integer(), unit: oneOf(["word", "line"]) }),
    run: ({ text, unit }) => ({ count: text.length, unit }),
  });
  const zod = defineTool({
    ...COMMON,
    name: "zod",
    input: z.object({ due: z.string().transform(Number) }),
    output: z.object({ day: z.number() }),
    run: async ({ due }) => ({ day: due }),
  });
  const plain = defineTool({
    ...COMMON,
    name: "plain",
    output: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
    run: () => new Reply("shown", { data: { ok: true } }),
  });
  const engine = createEngine({ tools: [built, zod, plain] });
  const counted = await engine.call(built, { text: "four", unit: "line" });
  assert.ok(counted.ok);
  const unit: "word" | "line" = counted.data.unit;
  assert.deepEqual([counted.data.count, unit], [4, "line"]);
  const parsed = await engine.call(zod, { due: "7" });
  assert.ok(parsed.ok);
  const day: number = parsed.data.day;
  assert.equal(day, 7);
  const replied = await engine.call(plain, {});
  assert.equal(replied.ok && replied.data.ok, true);
  // @ts-expect-error: the text is missing.
  assert.equal(codeOf(await engine.call(built, { unit: "word" })), "INVALID_INPUT");
});

test("run must return what output describes", async () => {
  const wrong = defineTool({
    ...COMMON,
    name: "wrong",
    output: z.object({ day: z.number() }),
    // @ts-expect-error: the day is a text.
    run: () => ({ day: "7" }),
  });
  assert.equal(codeOf(await createEngine({ tools: [wrong] }).run(call("wrong"))), "INVALID_OUTPUT");
});

test("the details of an error are typed by its code", async () => {
  const tool = defineTool({ ...COMMON, name: "t", input: object({ a: integer() }), run: () => "ran" });
  const engine = createEngine({ tools: [tool] });
  const result = await engine.run(call("t", {}));
  assert.ok(!result.ok);
  assert.equal(detailsOf(result.error, "INVALID_INPUT")?.problems?.[0]?.path, "/a");
  assert.equal(detailsOf(result.error, "DENIED"), undefined);
});

test("a listener for some types of events gets only those, narrowed", async () => {
  const tool = defineTool({ ...COMMON, name: "t", run: () => "ran" });
  const engine = createEngine({ tools: [tool] });
  const seen: string[] = [];
  engine.on(({ callId, result }) => seen.push(`${callId} ${result.ok}`), ["call.answered"]);
  engine.on(
    (event) => seen.push(event.type === "call.received" ? event.name : event.callId),
    ["call.received", "call.started"],
  );
  await engine.call(tool, {}, { id: "mine" });
  assert.deepEqual(seen, ["t", "mine", "mine true"]);
});
