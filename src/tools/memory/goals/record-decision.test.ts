import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryTools } from "../../../../test/support/agents/memory-tools.ts";
import { currentGoals } from "./goals.ts";

test("a decision is stored with its reasons and its goal", async (t) => {
  const { data, collections } = openMemoryTools(t);
  const { goal_id } = await data("create_goal", { description: "ship it" });
  await data("record_decision", {
    description: "Which database",
    rationale: "SQLite: it is there",
    alternatives: ["Postgres"],
  });
  const [decision] = (await currentGoals(collections, "s")).decisions;
  assert.deepEqual(
    [decision?.description, decision?.rationale, decision?.alternatives, decision?.locked, decision?.goalId],
    ["Which database", "SQLite: it is there", ["Postgres"], false, goal_id],
  );
});

test("another of the same description replaces one that is not locked", async (t) => {
  const { data, collections } = openMemoryTools(t);
  const first = await data("record_decision", { description: "Which database?", rationale: "SQLite" });
  const second = await data("record_decision", { description: "which  DATABASE", rationale: "Postgres" });
  assert.equal(second["replaced"], first["decision_id"]);
  const { decisions } = await currentGoals(collections, "s");
  assert.deepEqual(
    decisions.map(({ rationale }) => rationale),
    ["Postgres"],
  );
});

test("one that is locked cannot be contradicted: the refusal has its text, and it stays", async (t) => {
  const { data, fault, collections } = openMemoryTools(t);
  await data("record_decision", {
    description: "Which database",
    rationale: "SQLite, for good",
    locked: true,
  });
  const refused = await fault("record_decision", { description: "Which database?", rationale: "Postgres" });
  assert.equal(refused.code, "TOOL_FAILED");
  assert.match(refused.message, /locked[^]*Which database\nSQLite, for good/);
  const { decisions } = await currentGoals(collections, "s");
  assert.deepEqual(
    decisions.map(({ rationale }) => rationale),
    ["SQLite, for good"],
  );
  await data("record_decision", { description: "Which database", rationale: "another session" }, "other");
});

test("past 200 the oldest are dropped, but never a locked one", async (t) => {
  const { data, fault, collections } = openMemoryTools(t);
  await data("record_decision", { description: "locked", rationale: "r", locked: true });
  for (let index = 0; index < 200; index += 1) {
    await data("record_decision", { description: `d${index}`, rationale: "r" });
  }
  const { decisions } = await currentGoals(collections, "s");
  assert.equal(decisions.length, 200);
  assert.deepEqual(
    decisions.slice(0, 2).map(({ description }) => description),
    ["locked", "d1"],
  );
  for (let index = 0; index < 199; index += 1) {
    await data("record_decision", { description: `l${index}`, rationale: "r", locked: true });
  }
  assert.match(
    (await fault("record_decision", { description: "more", rationale: "r" })).message,
    /200 locked decisions/,
  );
});
