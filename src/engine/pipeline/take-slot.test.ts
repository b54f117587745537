import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import type { ToolContext } from "../../core/context.ts";
import type { Limits } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

/** A tool that counts its running calls; each of them ends when it is let go. */
function counted(name: string, limits: Limits = {}) {
  const waiting: (() => void)[] = [];
  const running = { now: 0, most: 0 };
  const tool = toolOf(name, limits, async () => {
    running.now += 1;
    running.most = Math.max(running.most, running.now);
    await new Promise<void>((resolve) => waiting.push(resolve));
    running.now -= 1;
    return "done";
  });
  return { tool, running, letGo: (): void => waiting.shift()?.() };
}

function toolOf(name: string, limits: Limits, run: (context: ToolContext) => unknown): Tool {
  const base = { name, description: name, input: object({}), risk: "low", effects: "none" } as const;
  return defineTool({ ...base, limits, run: (_input, context) => run(context) });
}

/** Lets calls go, one in each turn, until all are answered. */
async function untilAnswered<T>(answers: Promise<T>, letGo: () => void): Promise<T> {
  const states = { isAnswered: false };
  void answers.finally(() => {
    states.isAnswered = true;
  });
  while (!states.isAnswered) {
    letGo();
    await nextTurn();
  }
  return answers;
}

test("no more calls of a tool run at a time than its limit, of all callers together", async () => {
  const { tool, running, letGo } = counted("slow", { concurrency: 2 });
  const engine = createEngine({ tools: [tool] });
  const calls = Array.from({ length: 7 }, (_, index) => ({ id: `${index}`, name: "slow", input: {} }));
  const answers = await untilAnswered(
    Promise.all([engine.runAll(calls), ...calls.map((one) => engine.run(one, { session: one.id }))]),
    letGo,
  );
  assert.ok(answers.flat().every(({ ok }) => ok));
  assert.equal(running.most, 2);
});

test("no more calls run at a time than the limit of the engine, of all tools together", async () => {
  const [one, other] = [counted("one"), counted("other")];
  const engine = createEngine({ tools: [one.tool, other.tool], maxRunning: 3 });
  let most = 0;
  const answers = Promise.all(
    Array.from({ length: 12 }, (_, index) => engine.run(call(index % 2 === 0 ? "one" : "other", {}))),
  );
  const results = await untilAnswered(answers, () => {
    most = Math.max(most, one.running.now + other.running.now);
    one.letGo();
    other.letGo();
  });
  assert.ok(results.every(({ ok }) => ok));
  assert.equal(most, 3);
});

test("calls under limits never wait for each other in a circle", async () => {
  const leaf = toolOf("leaf", { concurrency: 1 }, () => nextTurn().then(() => "leaf"));
  const calling = (name: string, inner: string, limits: Limits = {}): Tool =>
    toolOf(name, limits, async ({ run, runAll, call: { id } }) => {
      if (id.split(".").length > 4) return "deep enough";
      const results = await runAll([
        { name: inner, input: {} },
        { name: "leaf", input: {} },
      ]);
      const last = await run("leaf", {});
      return [...results, last].every(({ ok }) => ok);
    });
  const limited = { concurrency: 1 };
  const engine = createEngine({
    tools: [leaf, calling("free", "leaf"), calling("a", "b", limited), calling("b", "a", limited)],
    maxRunning: 1,
  });
  const names = ["free", "a", "b", "leaf", "free", "b", "a", "leaf"];
  const answers = await Promise.all(
    names.map((name, index) => engine.run({ id: `${index}`, name, input: {} })),
  );
  assert.ok(answers.every((answer) => answer.ok && answer.data !== false));
});

test("a call cancelled while it waits is answered at once, and the next one gets its place", async () => {
  const { tool, running, letGo } = counted("slow", { concurrency: 1 });
  const engine = createEngine({ tools: [tool], maxRunning: 2 });
  const first = engine.run(call("slow", {}));
  const cancelling = new AbortController();
  const second = engine.run(call("slow", {}), { signal: cancelling.signal });
  const third = engine.run(call("slow", {}));
  cancelling.abort();
  assert.equal(codeOf(await second), "CANCELLED");
  await untilAnswered(Promise.all([first, third]), letGo);
  assert.equal(running.most, 1);
  // Closing the engine answers the calls that wait.
  const [running1, waiting] = [engine.run(call("slow", {})), engine.run(call("slow", {}))];
  await engine.close();
  assert.deepEqual([codeOf(await running1), codeOf(await waiting)], ["CANCELLED", "CANCELLED"]);
});

test("a call that fails leaves its place, and one that waits for approval has none", async () => {
  const failing = toolOf("failing", { concurrency: 1 }, () => {
    throw new Error("broken");
  });
  const asked = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<void>();
  const ask = async () => {
    asked.resolve();
    await decided.promise;
    return { approved: true, scope: "once" } as const;
  };
  const risky: Tool = { ...toolOf("risky", { concurrency: 1 }, () => "ran"), risk: "high" };
  const engine = createEngine({ tools: [failing, risky], maxRunning: 1, approver: { ask } });
  const waiting = engine.run(call("risky", {}));
  await asked.promise;
  for (let turn = 0; turn < 3; turn += 1)
    assert.equal(codeOf(await engine.run(call("failing", {}))), "TOOL_FAILED");
  decided.resolve();
  assert.equal(codeOf(await waiting), "ok");
});
