// The 91 habits of people who come from other agents, done in a real terminal, as a table: npm run test:long -- test/long/habits.test.ts
import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutTmux } from "../support/programs/terminal.ts";
import { createHabits } from "./support/habits.ts";
import { agents } from "./support/habits/agents.ts";
import { files } from "./support/habits/files.ts";
import { questions } from "./support/habits/questions.ts";
import { sessions } from "./support/habits/sessions.ts";
import { typing } from "./support/habits/typing.ts";
import { work } from "./support/habits/work.ts";

/** One of the 91, the list of background processes, is two rows. */
const COUNT = 92;

test("all habits hold", { skip: withoutTmux }, async (t) => {
  const habits = createHabits();
  for (const scene of [typing, files, questions, sessions, work, agents]) {
    try {
      await scene(t, habits);
    } catch (error) {
      await habits.try(`the end of ${scene.name}`, () => Promise.reject(error));
    }
  }
  console.log(habits.table());
  assert.deepEqual(habits.failed(), []);
  assert.equal(habits.count(), COUNT);
});
