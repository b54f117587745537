import assert from "node:assert/strict";
import { test } from "node:test";
import { approverOf } from "../../../test/support/engines/approvals.ts";
import { call } from "../../../test/support/engines/engine.ts";
import type { Fact } from "../../core/fact.ts";
import { ToolError } from "../../core/errors.ts";
import type { Policy } from "../../core/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

/** An engine with one tool that can do nothing, and the questions that its approver gets. */
function open(kind: "ask" | "allow" | "deny", place?: string) {
  const asked: string[] = [];
  const runs: string[] = [];
  const policy: Policy = { judge: () => ({ kind, reason: "policy", rule: "r" }) };
  const engine = createEngine({
    policy,
    approver: {
      ask: async ({ tool }) => {
        asked.push(tool);
        return { approved: true, scope: "once" };
      },
    },
    ...(place !== undefined && {
      executors: [{ place, execute: ({ tool, input }, context) => tool.run(input, context) }],
    }),
  });
  engine.add(
    defineTool({
      name: "t",
      description: "t",
      input: object({ text: string() }),
      ...(place !== undefined && { place }),
      rehearse({ text }) {
        if (text === "bad") throw new ToolError("TOOL_FAILED", "it cannot work", { hint: "do another" });
      },
      run({ text }) {
        runs.push(text);
        return "done";
      },
    }),
  );
  const run = (text: string) => engine.run({ id: "1", name: "t", input: { text } });
  return { run, asked, runs };
}

test("a call that cannot work is answered without a question", async () => {
  const { run, asked, runs } = open("ask");
  const result = await run("bad");
  assert.deepEqual(!result.ok && result.error, {
    code: "TOOL_FAILED",
    message: "it cannot work",
    hint: "do another",
  });
  assert.deepEqual([asked, runs], [[], []]);
});

test("a call that may work is asked about, and runs", async () => {
  const { run, asked, runs } = open("ask");
  assert.ok((await run("good")).ok);
  assert.deepEqual([asked, runs], [["t"], ["good"]]);
});

test("a denied call does not learn whether it would work", async () => {
  const result = await open("deny").run("bad");
  assert.equal(!result.ok && result.error.code, "DENIED");
});

test("an allowed call is not rehearsed, and neither is one that runs in another place", async () => {
  assert.ok((await open("allow").run("bad")).ok);
  const elsewhere = open("ask", "gpu");
  assert.ok((await elsewhere.run("bad")).ok);
  assert.deepEqual(elsewhere.asked, ["t"]);
});

const ASK = { kind: "ask", reason: "", rule: "own" } as const;

test("what a tool tries before a person is asked may read files only if policy allows reading them, and only on the host", async () => {
  const path: Fact = { kind: "path", path: "/w/a", access: "write" };
  const tried: boolean[] = [];
  const tool = defineTool({
    name: "t",
    description: "",
    facts: () => [path],
    rehearse: (_input, _context, { mayRead }) => void tried.push(mayRead),
    run: () => "done",
  });
  for (const [reads, place, expected] of [
    ["allow", undefined, [true]],
    ["ask", undefined, [false]],
    ["deny", undefined, [false]],
    ["allow", "gpu", []],
  ] as const) {
    const policy: Policy = {
      judge: ({ facts }) =>
        facts.every((fact) => fact.kind === "path" && fact.access === "read") ? { ...ASK, kind: reads } : ASK,
    };
    const executors = [{ place: "gpu", execute: () => "there" }];
    const engine = createEngine({
      policy,
      approver: approverOf({ approved: true, scope: "once" }),
      executors,
      tools: [tool],
    });
    assert.ok((await engine.run(call("t"), place === undefined ? {} : { place })).ok);
    assert.deepEqual(tried.splice(0), expected);
  }
});
