import assert from "node:assert/strict";
import { test } from "node:test";
import { approverOf, toolOf } from "../../../test/support/engines/approvals.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import type { Approval, Approver } from "../../core/approval.ts";
import type { ToolContext } from "../../core/context.ts";
import type { Grants } from "../../core/grant.ts";
import type { Job } from "../../core/job.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Mode } from "../../core/policy.ts";
import type { Risk } from "../../core/spec.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";
import { createMemoryGrants } from "../memory-grants.ts";

const ONCE: Approval = { approved: true, scope: "once" };

const table: readonly (readonly [Mode, Risk, "runs" | "asks" | "is denied"])[] = [
  ["yolo", "low", "runs"],
  ["yolo", "medium", "runs"],
  ["yolo", "high", "runs"],
  ["auto", "low", "runs"],
  ["auto", "medium", "asks"],
  ["auto", "high", "asks"],
  ["ask", "low", "asks"],
  ["ask", "medium", "asks"],
  ["ask", "high", "asks"],
  ["plan", "low", "runs"],
  ["plan", "medium", "is denied"],
  ["plan", "high", "is denied"],
];

for (const [mode, risk, outcome] of table) {
  test(`mode ${mode}: a ${risk}-risk call ${outcome}`, async () => {
    const approver = approverOf(ONCE);
    const result = await createEngine({ mode, approver, tools: [toolOf(risk)] }).run(call("t", { to: "x" }));
    assert.equal(codeOf(result), outcome === "is denied" ? "DENIED" : "ok");
    assert.equal(approver.asked.length, outcome === "asks" ? 1 : 0);
  });
}

test("without an approver the call is denied, with the reason and the way to allow it", async () => {
  const runs: string[] = [];
  const result = await createEngine({ tools: [toolOf("high", runs)] }).run(call("t", { to: "x" }));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /no approver[\s\S]*approver/);
  assert.deepEqual(runs, []);
});

test("a refusal is the answer, with its reason", async () => {
  const approver = approverOf({ approved: false, reason: "the user said no" });
  const result = await createEngine({ approver, tools: [toolOf("high")] }).run(call("t", { to: "x" }));
  assert.match(textOf(result), /the user said no/);
});

test("an approval for the session covers the same call in that session, and nothing else", async () => {
  const approver = approverOf({ approved: true, scope: "session" });
  const engine = createEngine({ approver, tools: [toolOf("high")] });
  await engine.run(call("t", { to: "x" }), { session: "s" });
  await engine.run(call("t", { to: "x" }), { session: "s" });
  assert.equal(approver.asked.length, 1);
  await engine.run(call("t", { to: "y" }), { session: "s" });
  assert.equal(approver.asked.length, 2);
  await engine.run(call("t", { to: "x" }), { session: "other" });
  assert.equal(approver.asked.length, 3);
});

test("the hash binds the tool and its final input, whatever the order of the keys", async () => {
  const approver = approverOf(ONCE);
  const two = defineTool({ name: "t", description: "", input: { type: "object" }, run: () => "" });
  const engine = createEngine({ approver, tools: [two] });
  for (const input of [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: 1, b: 3 },
  ])
    await engine.run(call("t", input));
  const [first, second, third] = approver.asked.map(({ hash }) => hash);
  assert.equal(first, second);
  assert.notEqual(first, third);
});

test("a cancel while waiting for an approver is one answer, and a late approval runs nothing", async () => {
  const controller = new AbortController();
  let answer = (_approval: Approval): void => undefined;
  const runs: string[] = [];
  const approver: Approver = {
    ask: () => (controller.abort(), new Promise((resolve) => (answer = resolve))),
  };
  const engine = createEngine({ approver, tools: [toolOf("high", runs)] });
  const result = await engine.run(call("t", { to: "x" }), { signal: controller.signal });
  answer(ONCE);
  await new Promise(setImmediate);
  assert.equal(codeOf(result), "CANCELLED");
  assert.deepEqual(runs, []);
});

test("a cancel withdraws the request and emits a denial, even if the approver ignores it", async (t) => {
  const controller = new AbortController();
  const signals: AbortSignal[] = [];
  const approver: Approver = {
    ask(_request, signal) {
      signals.push(signal);
      queueMicrotask(() => controller.abort());
      return new Promise(() => undefined);
    },
  };
  const engine = createEngine({ approver, tools: [toolOf("high")] });
  t.after(() => engine.close());
  const received: boolean[] = [];
  engine.on((event) => event.type === "approval.answered" && received.push(event.approved));
  const result = await engine.run(call("t", { to: "x" }), { signal: controller.signal });
  await new Promise(setImmediate);
  assert.equal(codeOf(result), "CANCELLED");
  assert.equal(signals[0]?.aborted, true);
  assert.deepEqual(received, [false]);
});

test("an approver that throws denies the call", async () => {
  const approver: Approver = { ask: () => Promise.reject(new Error("the window was closed")) };
  const result = await createEngine({ approver, tools: [toolOf("high")] }).run(call("t", { to: "x" }));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /the window was closed/);
});

test("the deadline does not count the time of the approver", async (t) => {
  const time = createVirtualTime(t);
  const approver: Approver = {
    ask: () => new Promise((resolve) => void setTimeout(() => resolve(ONCE), 40)),
  };
  const engine = createEngine({ approver, timeoutMs: 15, tools: [toolOf("high")] });
  const result = engine.run(call("t", { to: "x" }));
  await time.pass(40);
  assert.equal(codeOf(await result), "ok");
});

test("an answer has the time that the approver took; one that a grant covers has none", async (t) => {
  let clock = Date.now();
  t.mock.method(Date, "now", () => clock);
  const approver: Approver = {
    ask: async () => ((clock += 5000), { approved: true, scope: "session" }),
  };
  const stored = createMemoryGrants();
  const find: Grants["find"] = async (query) => ((clock += 700), stored.find(query));
  const engine = createEngine({ approver, grants: { ...stored, find }, tools: [toolOf("high")] });
  const waited = async () => (await engine.run(call("t", { to: "x" }), { session: "s" })).meta.waitedMs;
  assert.deepEqual([await waited(), await waited()], [5000, undefined]);
});

test("a running tool asks through the same approver", async () => {
  const approver = approverOf(ONCE);
  const asking = defineTool({
    name: "asking",
    description: "",
    risk: "low",
    run: async (_, context) =>
      (await context.ask({ text: "Overwrite?" })).approved ? "overwrote" : "left it",
  });
  assert.equal(textOf(await createEngine({ approver, tools: [asking] }).run(call("asking"))), "overwrote");
  assert.equal(approver.asked[0]?.question?.text, "Overwrite?");
  assert.equal(textOf(await createEngine({ tools: [asking] }).run(call("asking"))), "left it");
});

for (const how of ["answers", "throws", "rejects"] as const) {
  test(`a question of a tool is withdrawn when it ${how} without waiting for the answer, and it can ask no more`, async () => {
    const asked: AbortSignal[] = [];
    const approver: Approver = {
      ask: (_request, signal) => (asked.push(signal), new Promise(() => undefined)),
    };
    const asking = Promise.withResolvers<ToolContext["ask"]>();
    const first = Promise.withResolvers<Approval>();
    const hasty = defineTool({
      name: "hasty",
      description: "",
      risk: "low",
      run(_, { ask }): string | Promise<string> {
        asking.resolve(ask);
        void ask({ text: "Wait?" }).then(first.resolve);
        if (how === "throws") throw new Error("no");
        return how === "rejects" ? Promise.reject(new Error("no")) : "done";
      },
    });
    const engine = createEngine({ approver, tools: [hasty] });
    assert.equal(codeOf(await engine.run(call("hasty"))), how === "answers" ? "ok" : "TOOL_FAILED");
    assert.equal((await first.promise).approved, false);
    assert.equal((await (await asking.promise)({ text: "And now?" })).approved, false);
    assert.ok(asked.every(({ aborted }) => aborted) && asked.length <= 1);
  });
}

test("an input edited by the approver is validated and is what runs", async () => {
  const runs: string[] = [];
  const approver = approverOf({ approved: true, scope: "once", input: { to: "z" } });
  const engine = createEngine({ approver, tools: [toolOf("high", runs)] });
  assert.equal(textOf(await engine.run(call("t", { to: "x" }))), "did z");
  assert.deepEqual(runs, ["z"]);
  assert.equal(approver.asked.length, 1);
});

test("an edited input that is invalid or denied runs nothing", async () => {
  const runs: string[] = [];
  const deny = { kind: "deny", reason: "not z", rule: "no-z" } as const;
  const ask = { kind: "ask", reason: "ask", rule: "all" } as const;
  const policy = { judge: ({ input }: Job) => (input["to"] === "z" ? deny : ask) };
  const runWith = async (input: JsonObject) => {
    const approver = approverOf({ approved: true, scope: "once", input });
    return createEngine({ approver, policy, tools: [toolOf("high", runs)] }).run(call("t", { to: "x" }));
  };
  assert.equal(codeOf(await runWith({ to: "z" })), "DENIED");
  assert.equal(codeOf(await runWith({ to: 5, more: true })), "INVALID_INPUT");
  assert.deepEqual(runs, []);
});

test("no answer in time denies the call, and a late approval runs nothing", async () => {
  const runs: string[] = [];
  const { promise: late, resolve: answer } = Promise.withResolvers<Approval>();
  const signals: AbortSignal[] = [];
  const approver: Approver = { ask: (_request, signal) => (signals.push(signal), late) };
  const engine = createEngine({ approver, approvalTimeoutMs: 10, tools: [toolOf("high", runs)] });
  const result = await engine.run(call("t", { to: "x" }));
  answer(ONCE);
  await new Promise(setImmediate);
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /no approver answered within 0.01 s/);
  assert.equal(signals[0]?.aborted, true);
  assert.deepEqual(runs, []);
});

test("an approval for always covers the same call in every session", async () => {
  const approver = approverOf({ approved: true, scope: "always" });
  const engine = createEngine({ approver, tools: [toolOf("high")] });
  await engine.run(call("t", { to: "x" }), { session: "s" });
  await engine.run(call("t", { to: "x" }), { session: "other" });
  assert.equal(approver.asked.length, 1);
});

test("an approval without a grantable rule lasts for that call only", async () => {
  const approver = approverOf({ approved: true, scope: "always" });
  const verdict = { kind: "ask", reason: "protected", rule: "p", ungrantable: "always asked" } as const;
  const engine = createEngine({ approver, policy: { judge: () => verdict }, tools: [toolOf("high")] });
  await engine.run(call("t", { to: "x" }));
  await engine.run(call("t", { to: "x" }));
  assert.equal(approver.asked.length, 2);
});

test("a call that waits for approval does not block others", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<Approval>();
  const approver: Approver = { ask: () => answered };
  const read = defineTool({
    name: "read",
    description: "",
    risk: "low",
    effects: "none",
    run: () => (answer(ONCE), "read"),
  });
  const engine = createEngine({ approver, tools: [toolOf("high"), read] });
  const calls = [call("t", { to: "x" }), call("read")];
  const results = await engine.runAll(calls, { parallel: "all", concurrency: 1 });
  assert.deepEqual(results.map(textOf), ["did x", "read"]);
});

test("an approval timeout may exceed the longest timer, up to Infinity", async () => {
  for (const approvalTimeoutMs of [2 ** 31, Number.POSITIVE_INFINITY]) {
    const approver: Approver = {
      // Later than a timer that cannot count so far, which fires at once.
      ask: () => new Promise((resolve) => setTimeout(resolve, 20, ONCE)),
    };
    const engine = createEngine({ approver, approvalTimeoutMs, tools: [toolOf("high")] });
    assert.equal(codeOf(await engine.run(call("t", { to: "x" }))), "ok");
  }
});

test("an approval without a scope holds for this call only", async () => {
  const approver = approverOf({ approved: true } as never);
  const engine = createEngine({ approver, tools: [toolOf("high")] });
  for (let time = 0; time < 2; time += 1)
    assert.equal(codeOf(await engine.run(call("t", { to: "x" }), { session: "s" })), "ok");
  assert.equal(approver.asked.length, 2);
});

test("an approval for a session holds in that session only, and ends with it", async () => {
  const approver = approverOf({ approved: true, scope: "session" });
  const engine = createEngine({ tools: [toolOf("medium")], approver });
  const send = (session: string) => engine.run(call("t", { to: "her" }), { session });
  const ann = engine.session("ann");
  await send("ann");
  await send("ann");
  assert.equal(approver.asked.length, 1);
  await send("bob");
  assert.equal(approver.asked.length, 2);
  await ann.close();
  await send("ann");
  assert.equal(approver.asked.length, 3);
  await send("bob");
  assert.equal(approver.asked.length, 3);
  await engine.close();
});
