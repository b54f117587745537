import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import type { Job } from "../../core/job.ts";
import type { Policy } from "../../core/policy.ts";
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

test("policy prepares once for a call: before the facts of its tool are known, or with its risk if the tool has no facts", async () => {
  const prepared: Pick<Job, "facts" | "risk">[] = [];
  const policy: Policy = {
    async prepare({ facts, risk }) {
      prepared.push({ facts, risk });
    },
    judge: () => ({ kind: "allow", reason: "", rule: "r" }),
  };
  const base = { description: "d", input: object({}), risk: "high", run: () => "done" } as const;
  const path = { kind: "path", path: "/a", access: "read" } as const;
  const tools = [
    defineTool({ ...base, name: "plain", riskOf: () => "low" }),
    defineTool({ ...base, name: "touching", facts: () => [path] }),
  ];
  const engine = createEngine({ policy, tools });
  for (const [name, risk] of [
    ["plain", "low"],
    ["touching", "high"],
  ] as const) {
    assert.equal(codeOf(await engine.run(call(name))), "ok");
    assert.deepEqual(prepared.splice(0), [{ facts: [], risk }]);
  }
});
