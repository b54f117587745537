import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryTools } from "../../../../test/support/agents/memory-tools.ts";
import { provide } from "../../../core/context.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { CurrentTurn } from "../../../core/agent/turn.ts";
import { recordReasoning, type Reasoning } from "./reasoning.ts";

async function recorded(turns: number) {
  const collections = createMemoryCollections();
  for (let turn = 1; turn <= turns; turn += 1) {
    const [goalId, traceId] = [turn % 2 === 0 ? "goal-even" : null, `trace-${turn}`];
    await recordReasoning(collections, "s", {
      turn,
      text: `thought ${turn}`,
      goalId,
      traceId,
      at: turn * 1000,
    });
  }
  return collections;
}

function turnsOf({ reasoning }: Readonly<Record<string, unknown>>): readonly (number | null)[] {
  return (reasoning as readonly Reasoning[]).map(({ turn }) => turn);
}

test("the newest five come first, the others are counted, and limit reads them", async (t) => {
  const { data, text } = openMemoryTools(t, { collections: await recorded(8) });
  assert.deepEqual(turnsOf(await data("read_reasoning")), [8, 7, 6, 5, 4]);
  assert.match(
    await text("read_reasoning"),
    /^\[1970-01-01T00:00:08.000Z, turn 8, goal-even, trace trace-8\]\nthought 8/,
  );
  assert.match(await text("read_reasoning"), /\[3 older ones; increase limit to read them\]$/);
  assert.equal(turnsOf(await data("read_reasoning", { limit: 50 })).length, 8);
  assert.deepEqual(turnsOf(await data("read_reasoning", {}, "another session")), []);
});

test("goal and trace choose among them", async (t) => {
  const { data, text } = openMemoryTools(t, { collections: await recorded(5) });
  assert.deepEqual(turnsOf(await data("read_reasoning", { goal_id: "goal-even" })), [4, 2]);
  assert.deepEqual(turnsOf(await data("read_reasoning", { trace_id: "trace-3" })), [3]);
  assert.match(
    await text("read_reasoning", { goal_id: "goal-even", trace_id: "trace-3" }),
    /no matching reasoning/,
  );
});

test("a thought is stored with the active goal, the turn and its trace", async (t) => {
  const { data, text } = openMemoryTools(t, {
    context: [provide(CurrentTurn, { number: 7, traceId: "trace-seven" })],
  });
  const { goal_id } = await data("create_goal", { description: "ship it" });
  assert.equal(await text("think", { thought: "first the tests" }), "Noted.");
  await text("thinking", { thought: "then the rest" });
  const { reasoning } = await data("read_reasoning");
  const [last, first] = reasoning as readonly Reasoning[];
  assert.deepEqual(
    [first?.text, first?.turn, first?.traceId, first?.goalId, first?.archived],
    ["first the tests", 7, "trace-seven", goal_id, false],
  );
  assert.equal(last?.text, "then the rest");
});

test("a thought outside an agent is stored with its call", async (t) => {
  const { data, text } = openMemoryTools(t);
  await text("think", { thought: "alone" });
  const [only] = (await data("read_reasoning"))["reasoning"] as readonly Reasoning[];
  assert.deepEqual([only?.turn, only?.goalId], [null, null]);
  assert.deepEqual(turnsOf(await data("read_reasoning", { trace_id: only?.traceId ?? "" })), [null]);
});

test("completing a goal archives its reasoning, which is then read only on request", async (t) => {
  const { data, text } = openMemoryTools(t);
  await text("think", { thought: "before" });
  const { goal_id } = await data("create_goal", { description: "ship it" });
  await text("think", { thought: "for the goal" });
  await data("complete_goal", { summary: "done" });
  const shown = await text("read_reasoning");
  assert.match(shown, /before/);
  assert.doesNotMatch(shown, /for the goal/);
  assert.match(
    await text("read_reasoning", { goal_id: goal_id ?? "" }),
    /\[1 archived ones; include_archived=true/,
  );
  assert.match(await text("read_reasoning", { include_archived: true }), /archived\]\nfor the goal/);
});

test("a long thought is cut, and says so", async () => {
  const collections = createMemoryCollections();
  const long = { turn: 1, text: "x".repeat(100_000), goalId: null, traceId: null, at: 1 };
  await recordReasoning(collections, "s", long);
  const [only] = await collections.open("reasoning").list();
  assert.equal(
    (only?.value as Reasoning | undefined)?.text,
    `${"x".repeat(16_000)}\n[cut after 16000 characters]`,
  );
});
