import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

test("a call that is cancelled while its facts are collected aborts their signal", async () => {
  const controller = new AbortController();
  const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
  const slow = defineTool({
    name: "slow",
    description: "Collects facts until it is aborted.",
    input: object({}),
    risk: "low",
    facts(_input, { signal }) {
      signal.addEventListener("abort", () => resolve(signal.reason));
      setImmediate(() => controller.abort());
      return new Promise<never>(() => undefined);
    },
    run: () => "done",
  });
  const result = await createEngine({ tools: [slow] }).run(call("slow"), { signal: controller.signal });
  assert.equal(codeOf(result), "CANCELLED");
  assert.match(String(await aborted), /cancelled/);
});

test("what a tool rejects after its call was cancelled is not an unhandled rejection", async () => {
  const controller = new AbortController();
  const late = defineTool({
    name: "late",
    description: "Fails after the call was cancelled.",
    input: object({}),
    risk: "low",
    async facts() {
      controller.abort();
      throw new Error("too late");
    },
    run: () => "done",
  });
  const result = await createEngine({ tools: [late] }).run(call("late"), { signal: controller.signal });
  assert.equal(codeOf(result), "CANCELLED");
  await new Promise(setImmediate);
});
