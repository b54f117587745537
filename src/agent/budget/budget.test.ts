import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "../../core/agent/model.ts";
import { inShort, openAgent, eventsOf } from "../../../test/support/agents/agent.ts";
import { echoTool, heldTool } from "../../../test/support/agents/agent-tools.ts";
import { codeOf } from "../../../test/support/engines/engine.ts";
import { fakeModel } from "../../../test/support/models/fake-model.ts";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";

/** A model that never comes to an end by itself. */
const ENDLESS = (_request: unknown, index: number) => ({
  calls: [{ name: "echo", input: { word: `${index}` } }],
  usage: { inputTokens: 80, outputTokens: 20 },
});

for (const [kind, budget, requests] of [
  ["turns", { turns: 5 }, 5],
  ["tokens", { tokens: 500 }, 5],
  ["money", { money: 5 }, 5],
] as const) {
  test(`${kind} cause a warning, then end the task, and the conversation is complete`, async (t) => {
    const { tool, said } = echoTool();
    const { agent, model, events } = await openAgent(t, ENDLESS, {
      engine: { tools: [tool] },
      model: { price: { input: 10_000, output: 10_000 } },
      budget,
    });
    const outcome = await agent.send("Go on and on.");
    assert.ok(outcome.kind === "stopped");
    assert.equal(outcome.why, kind);
    assert.match(outcome.detail, /the budget is spent: \$?5/);
    assert.equal(model.requests.length, requests);
    // The last calls were made when nothing was left: they are answered, and were not run.
    assert.deepEqual(said, ["0", "1", "2", "3"]);
    assert.deepEqual(inShort(agent.messages()).slice(-2), ["assistant: (call-4-0)", "tool: call-4-0 failed"]);
    assert.deepEqual(
      eventsOf(events, "budget.warned").map((event) => [event.kind, event.used]),
      [[kind, kind === "tokens" ? 400 : 4]],
    );
    assert.deepEqual(
      eventsOf(events, "budget.spent").map((event) => event.kind),
      [kind],
    );
    assert.equal(agent.state, "idle");
    const notes = model.requests.map((request) => /nearly spent \((\S+)/.exec(lastOf(request))?.[1]);
    assert.deepEqual(
      notes.map((note) => note !== undefined),
      [false, false, false, false, true],
    );
  });
}

/** Returns the text of the last message of a request: notes come after everything that a provider caches. */
function lastOf(request: ModelRequest | undefined): string {
  return inShort(request?.messages ?? []).at(-1) ?? "";
}

test("the note about a budget stays the same for the rest of the task", async (t) => {
  const { agent, model } = await openAgent(t, ENDLESS, {
    engine: { tools: [echoTool().tool] },
    budget: { tokens: 1000 },
  });
  await agent.send("Go on and on.");
  const told = model.requests.slice(8).map(lastOf);
  assert.equal(told.length, 2);
  assert.match(told[0] ?? "", /nearly spent \(800 of 1000 tokens\)/);
  assert.equal(new Set(told).size, 1);
});

test("each task has the full budget, and the model can answer with what is left", async (t) => {
  const { agent } = await openAgent(t, [{ text: "1" }, { text: "2" }, { text: "3" }], {
    budget: { turns: 1 },
  });
  for (const text of ["1", "2", "3"]) assert.deepEqual(await agent.send("Go."), { kind: "answered", text });
  assert.equal(agent.spent().turns, 3);
});

test("the model is told which answer is its last, and only then", async (t) => {
  const { agent, model } = await openAgent(t, ENDLESS, {
    engine: { tools: [echoTool().tool] },
    budget: { turns: 3 },
  });
  await agent.send("Go.");
  assert.deepEqual(
    model.requests.map((request) => lastOf(request).includes("This is your last answer")),
    [false, false, true],
  );
  assert.doesNotMatch(JSON.stringify(agent.messages()), /last answer/);
});

test("a budget of zero makes no request and stores the message", async (t) => {
  const { agent, model } = await openAgent(t, ENDLESS, { budget: { turns: 0 } });
  assert.equal((await agent.send("Go.")).kind, "stopped");
  assert.equal(model.requests.length, 0);
  assert.deepEqual(inShort(agent.messages()), ["user: Go."]);
});

test("calls beyond the budget are answered without being run, and end the task", async (t) => {
  const { tool, said } = echoTool();
  const word = (text: string) => ({ name: "echo", input: { word: text } });
  const { agent, events } = await openAgent(
    t,
    [{ calls: [word("a"), word("b")] }, { calls: [word("c"), word("d")] }],
    {
      engine: { tools: [tool] },
      budget: { calls: 3 },
    },
  );
  const outcome = await agent.send("Go.");
  assert.ok(outcome.kind === "stopped");
  assert.equal(outcome.why, "calls");
  assert.deepEqual(said, ["a", "b", "c"]);
  const answer = agent.messages().at(-1);
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["ok", "DENIED"]);
  assert.deepEqual(
    eventsOf(events, "budget.warned").map(({ kind, used }) => [kind, used]),
    [["calls", 3]],
  );
});

test("a model without calls left can still answer, and is told to", async (t) => {
  const { agent, model } = await openAgent(t, [ENDLESS(undefined, 0), { text: "Done." }], {
    engine: { tools: [echoTool().tool] },
    budget: { calls: 1 },
  });
  assert.deepEqual(await agent.send("Go."), { kind: "answered", text: "Done." });
  assert.match(lastOf(model.requests[1]), /No further call will be run/);
});

test("time ends a call by its signal", async (t) => {
  const time = createVirtualTime(t);
  const { tool, begun } = heldTool();
  const { agent, events } = await openAgent(t, [{ calls: [{ name: "hold", input: {} }] }], {
    engine: { tools: [tool] },
    budget: { timeMs: 40 },
  });
  const sent = agent.send("Hold.");
  await begun;
  await time.pass(40);
  const outcome = await sent;
  assert.ok(outcome.kind === "stopped");
  assert.equal(outcome.why, "time");
  const answer = agent.messages().at(-1);
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["CANCELLED"]);
  assert.deepEqual(
    eventsOf(events, "budget.spent").map(({ kind }) => kind),
    ["time"],
  );
  assert.equal(agent.spent().timeMs, 40);
});

test("time ends a request by its signal, and the partial answer is stored", async (t) => {
  const { agent } = await openAgent(
    t,
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }),
    { budget: { timeMs: 20 } },
  );
  const outcome = await agent.send("Go.");
  assert.ok(outcome.kind === "stopped");
  assert.equal(outcome.why, "time");
  assert.deepEqual(inShort(agent.messages()), ["user: Go."]);
});

test("time in which a person is asked does not count", async (t) => {
  // So long that a slow machine does not use it up before the prompt.
  const BUDGET_MS = 10_000;
  const asked = Promise.withResolvers<void>();
  const decide = Promise.withResolvers<void>();
  const { tool, said } = echoTool("echo", { risk: "high" });
  const { agent } = await openAgent(t, [ENDLESS(undefined, 0), { text: "Done." }], {
    engine: {
      mode: "ask",
      tools: [tool],
      approver: {
        async ask() {
          asked.resolve();
          await decide.promise;
          return { approved: true, scope: "once" };
        },
      },
    },
    budget: { timeMs: BUDGET_MS },
  });
  const outcome = agent.send("Go.");
  await asked.promise;
  const now = performance.now();
  const clock = t.mock.method(performance, "now", () => now);
  const before = agent.spent().timeMs;
  // Longer than the whole budget.
  clock.mock.mockImplementation(() => now + 2 * BUDGET_MS);
  assert.equal(agent.spent().timeMs, before);
  decide.resolve();
  assert.deepEqual(await outcome, { kind: "answered", text: "Done." });
  assert.deepEqual(said, ["0"]);
});

test("a budget of money is rejected for a model without a price, also for a later model", async (t) => {
  await assert.rejects(openAgent(t, [], { budget: { money: 1 } }), (error: Error) => {
    assert.match(error.message, /a budget of money needs a price, and the price of fake\/model is not known/);
    return true;
  });
  const { agent } = await openAgent(t, [], {
    budget: { money: 1 },
    model: { price: { input: 1, output: 1 } },
  });
  assert.throws(() => agent.use(fakeModel(() => ({}))), /needs a price/);
});

test("spending is counted, with and without a price", async (t) => {
  const priced = await openAgent(t, [{ text: ".", usage: { inputTokens: 1000, outputTokens: 500 } }], {
    model: { price: { input: 1000, output: 2000 } },
  });
  assert.equal(priced.agent.spent().money, 0);
  await priced.agent.send("Go.");
  const { timeMs, ...spent } = priced.agent.spent();
  assert.deepEqual(spent, { turns: 1, tokens: 1500, money: 2, calls: 0 });
  assert.ok(timeMs > 0);
  assert.deepEqual(
    eventsOf(priced.events, "turn.ended").map(({ cost }) => cost),
    [2],
  );
  const unpriced = await openAgent(t, [{ text: "." }]);
  await unpriced.agent.send("Go.");
  assert.equal(unpriced.agent.spent().money, undefined);
});
