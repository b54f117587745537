import { test } from "node:test";
import { withoutBoxes } from "../support/boxes.ts";
import { seed } from "../support/property-runs.ts";
import { GOALS, tryGenerated } from "../support/try-generated.ts";

const COUNT = 120;

for (const goal of GOALS) {
  test(
    `${COUNT} generated commands (${goal}): what runs without approval has no effect`,
    { skip: withoutBoxes },
    (t) => tryGenerated(t, goal, COUNT, seed),
  );
}
