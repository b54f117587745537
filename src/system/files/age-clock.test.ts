import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ageNow, clockProblem } from "./age-clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);

test("ages are measured by the clock while a folder is used at least once a month", (context) => {
  const folder = temporaryFolder(context);
  for (const days of [0, 1, 30, 59, 58])
    assert.equal(ageNow(folder, START + days * DAY_MS), START + days * DAY_MS, `${days} days`);
  assert.equal(clockProblem(folder, START + 60 * DAY_MS), undefined);
});

test("a clock far ahead makes nothing older, until it is right again or the user says that it is right", (context) => {
  const folder = temporaryFolder(context);
  ageNow(folder, START);
  const ahead = START + 4000 * DAY_MS;
  for (const now of [ahead, ahead + DAY_MS]) assert.equal(ageNow(folder, now), START);
  const problem = clockProblem(folder, ahead) ?? "";
  assert.match(problem, /4000 days after the last use .*; if the clock is right, delete (.*)$/);
  assert.equal(ageNow(folder, START + DAY_MS), START + DAY_MS, "it is right again");
  assert.equal(ageNow(folder, ahead), START + DAY_MS);
  rmSync(/delete (.*)$/.exec(problem)?.[1] ?? "");
  assert.equal(ageNow(folder, ahead), ahead);
  assert.equal(clockProblem(folder, ahead), undefined);
});

test("a folder that does not exist, or was removed, is not made", (context) => {
  const folder = join(temporaryFolder(context), "state");
  assert.equal(ageNow(folder, START), START);
  assert.equal(existsSync(folder), false);
});
