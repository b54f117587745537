import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { openMemoryTools } from "../../../../test/support/agents/memory-tools.ts";
import { currentGoals, MAX_GOALS } from "./goals.ts";
import { runs } from "../../../../test/support/property-runs.ts";

test("the first goal is active; another waits until it is resumed, and the first is then put aside", async (t) => {
  const { data, collections } = openMemoryTools(t);
  const first = await data("create_goal", { description: "one", priority: "high", subtasks: ["a", "b"] });
  const second = await data("create_goal", { description: "two" });
  assert.deepEqual([first["status"], second["status"]], ["active", "paused"]);
  const { goals } = await currentGoals(collections, "s");
  assert.deepEqual(
    goals.map(({ description, status, priority, subtasks }) => [description, status, priority, subtasks]),
    [
      ["one", "active", "high", ["a", "b"]],
      ["two", "paused", "medium", []],
    ],
  );
  assert.deepEqual(await data("switch_goal", { action: "resume" }), {
    active: second["goal_id"],
    paused: [first["goal_id"]],
  });
  assert.deepEqual(await currentGoals(collections, "other"), { goals: [], decisions: [] });
});

test("pause leaves no goal active; new sets one and puts the active one aside", async (t) => {
  const { data } = openMemoryTools(t);
  const { goal_id: one = null } = await data("create_goal", { description: "one" });
  assert.deepEqual(await data("switch_goal", { action: "pause", goal_id: one }), {
    active: null,
    paused: [one],
  });
  const { active: two } = await data("switch_goal", { action: "new", description: "two", priority: "low" });
  const three = await data("switch_goal", { action: "new", description: "three" });
  assert.deepEqual(three["paused"], [one, two]);
});

test("a completed goal has summary and artifacts, and no goal is active then", async (t) => {
  const { data, text, collections } = openMemoryTools(t);
  const { goal_id } = await data("create_goal", { description: "one" });
  await data("create_goal", { description: "two" });
  assert.match(
    await text("complete_goal", { summary: "done", artifacts: ["a.txt"] }),
    new RegExp(`^Completed ${goal_id as string}\nPaused[^]*two$`),
  );
  const [done] = (await currentGoals(collections, "s")).goals;
  assert.deepEqual([done?.status, done?.summary, done?.artifacts], ["completed", "done", ["a.txt"]]);
  assert.equal(typeof done?.completedAt, "number");
});

test("an impossible change is rejected, with the goals that are possible", async (t) => {
  const { data, fault } = openMemoryTools(t);
  assert.match((await fault("complete_goal", { summary: "x" })).hint ?? "", /create_goal/);
  assert.match((await fault("switch_goal", { action: "pause" })).message, /no goal is active/);
  assert.match((await fault("switch_goal", { action: "resume" })).message, /0 goals are paused/);
  for (const description of ["one", "two", "three"]) await data("create_goal", { description });
  const which = await fault("switch_goal", { action: "resume" });
  assert.match(which.message, /2 goals are paused: goal_id is needed/);
  assert.match(which.hint ?? "", /\[paused, medium\]: two\n.*three/);
  assert.match(
    (await fault("switch_goal", { action: "resume", goal_id: "goal-x" })).message,
    /no paused goal goal-x/,
  );
  assert.match((await fault("switch_goal", { action: "pause", goal_id: "goal-x" })).message, /goal-x is not/);
  assert.equal((await fault("switch_goal", { action: "new" })).code, "INVALID_INPUT");
  assert.equal(
    (await fault("switch_goal", { action: "new", description: "x", goal_id: "goal-x" })).code,
    "INVALID_INPUT",
  );
  await data("switch_goal", { action: "pause" });
  assert.match((await fault("complete_goal", { summary: "x" })).hint ?? "", /resume one[^]*one/);
});

test("past the limit completed goals are dropped, and open ones never", async (t) => {
  const { data, fault, collections } = openMemoryTools(t);
  await data("create_goal", { description: "first" });
  await data("complete_goal", { summary: "done" });
  for (let index = 0; index < MAX_GOALS; index += 1) await data("create_goal", { description: `g${index}` });
  const { goals } = await currentGoals(collections, "s");
  assert.equal(goals.length, MAX_GOALS);
  assert.ok(goals.every(({ status }) => status !== "completed"));
  assert.match((await fault("create_goal", { description: "one more" })).message, /100 open goals/);
  assert.match((await fault("switch_goal", { action: "new", description: "x" })).message, /100 open goals/);
});

test("whatever is done in whatever order, at most one goal is active and none is lost", async (t) => {
  const action = fc.constantFrom("create", "new", "pause", "resume", "complete");
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 20 }), async (actions) => {
      const { run, collections } = openMemoryTools(t);
      let made = 0;
      for (const one of actions) {
        const before = (await currentGoals(collections, "s")).goals;
        const waiting = before.find(({ status }) => status === "paused");
        if (one === "create") await run("create_goal", { description: `g${(made += 1)}` });
        else if (one === "complete") await run("complete_goal", { summary: "x" });
        else if (one === "new") await run("switch_goal", { action: one, description: `g${(made += 1)}` });
        else
          await run("switch_goal", {
            action: one,
            ...(one === "resume" && waiting && { goal_id: waiting.id }),
          });
        const { goals } = await currentGoals(collections, "s");
        assert.ok(goals.filter(({ status }) => status === "active").length <= 1);
        assert.equal(goals.length, made);
      }
    }),
    { numRuns: runs(30) },
  );
});
