import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../test/support/engines/engine.ts";
import type { Ceiling } from "../core/policy.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { batch } from "../tools/running/batch.ts";
import { createEngine } from "./engine.ts";

function engineWithNesting(ran: string[]) {
  const write = defineTool({
    name: "write",
    description: "",
    risk: "medium",
    run: () => (ran.push("write"), "written"),
  });
  const outer = defineTool({
    name: "outer",
    description: "",
    risk: "low",
    run: async (_, context) => {
      const inner = await context.run("write", {});
      return inner.ok ? "wrote" : inner.error.code;
    },
  });
  return createEngine({ mode: "yolo", tools: [write, outer, batch()] });
}

test("a call that a person typed needs no approval, but denies hold, and calls that it makes need theirs", async () => {
  const ran: string[] = [];
  const outer = defineTool({
    name: "outer",
    description: "",
    risk: "high",
    run: async (_, context) => {
      ran.push("outer");
      return codeOf(await context.run("inner", {}));
    },
  });
  const inner = defineTool({ name: "inner", description: "", risk: "high", run: () => ran.push("inner") });
  const engine = createEngine({ mode: "auto", tools: [outer, inner] });
  assert.equal(codeOf(await engine.run(call("outer"))), "DENIED");
  assert.equal(textOf(await engine.run(call("outer"), { approvedBy: "person" })), "DENIED");
  assert.deepEqual(ran, ["outer"]);
  const ceilings = [{ rules: [{ tool: "outer", decision: "deny" }] }] as const;
  assert.equal(codeOf(await engine.run(call("outer"), { approvedBy: "person", ceilings })), "DENIED");
  assert.deepEqual(ran, ["outer"]);
});

const CEILINGS: readonly (readonly [string, Ceiling])[] = [
  ["a stricter mode", { mode: "plan" }],
  ["other tools only", { tools: ["outer", "batch"] }],
  ["a deny", { rules: [{ tool: "write", decision: "deny" }] }],
];

for (const [what, ceiling] of CEILINGS) {
  test(`under a ceiling of ${what} a nested call gets no more than its parent`, async () => {
    const ran: string[] = [];
    const engine = engineWithNesting(ran);
    const options = { ceilings: [ceiling] };
    assert.equal(codeOf(await engine.run(call("write"), options)), "DENIED");
    const nested = await engine.run(call("outer"), options);
    assert.equal(textOf(nested), "DENIED");
    const invocations = [{ tool: "write", arguments: {} }];
    await engine.run(call("batch", { invocations }), options);
    assert.deepEqual(ran, []);
    assert.equal(codeOf(await engine.run(call("write"))), "ok");
  });
}

test("a ceiling never loosens, and an allow in it is ignored", async () => {
  const ran: string[] = [];
  const strict = createEngine({
    mode: "plan",
    tools: [defineTool({ name: "write", description: "", risk: "medium", run: () => (ran.push("x"), "") })],
  });
  const ceilings: readonly Ceiling[] = [{ mode: "yolo", rules: [{ decision: "allow" }] }];
  assert.equal(codeOf(await strict.run(call("write"), { ceilings })), "DENIED");
  assert.deepEqual(ran, []);
});
