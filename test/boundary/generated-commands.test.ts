import { test } from "node:test";
import { withoutBoxes } from "../support/boxes.ts";
import { seed } from "../support/property-runs.ts";
import { GOALS, tryGenerated } from "../support/try-commands.ts";

const COUNT = 30;

for (const goal of GOALS) {
  test(
    `${COUNT} generated commands (${goal}): what runs without approval has no effect`,
    { skip: withoutBoxes },
    (t) => tryGenerated(t, { goal, count: COUNT, seed, by: "policy" }),
  );
  test(
    `${COUNT} generated commands (${goal}), all believed to only read: the sandbox leaves no effect`,
    { skip: withoutBoxes },
    (t) => tryGenerated(t, { goal, count: COUNT, seed, by: "sandbox" }),
  );
}
