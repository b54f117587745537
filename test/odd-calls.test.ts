import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { z } from "zod";
import { createEngine, defineTool } from "../src/index.ts";

test("a Zod refinement that rejects fails its call, and is no unhandled rejection", async (t) => {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const input = z.object({ id: z.string().refine(() => Promise.reject(new Error("the database is down"))) });
  const engine = createEngine({
    tools: [defineTool({ name: "t", description: "t", input, run: () => "x" })],
  });
  const result = await engine.run({ id: "1", name: "t", input: { id: "a" } });
  assert.equal(result.ok, false);
  assert.deepEqual([result.error.code, result.error.message], ["TOOL_FAILED", "the database is down"]);
  await turn();
  await turn();
  assert.equal(unhandled.mock.callCount(), 0);
});

test("a call with a name of 1 MB is answered with a short result", async () => {
  const result = await createEngine().run({ id: "1", name: "n".repeat(1_000_000), input: {} });
  assert.equal(result.ok, false);
  assert.equal(result.error.code, "TOOL_NOT_FOUND");
  assert.ok(JSON.stringify(result).length < 4000);
});
