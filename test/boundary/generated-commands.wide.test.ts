import { test } from "node:test";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { isLong, seed } from "../support/property-runs.ts";
import { WAYS } from "../support/generators/generate-bypass.ts";
import { GOALS, tryBypasses, tryGenerated } from "../support/sandboxes/try-commands.ts";

const COUNT = isLong ? 3000 : 30;
/** Every one of these starts a sandbox and a process, most of them an interpreter: a long run has another seed each time. */
const COUNT_IN_SANDBOX = isLong ? 1000 : 30;

for (const goal of GOALS) {
  test(
    `${COUNT} generated commands (${goal}): what runs without approval has no effect`,
    { skip: withoutBoxes },
    (t) => tryGenerated(t, { goal, count: COUNT, seed, by: "policy" }),
  );
  test(
    `${COUNT_IN_SANDBOX} generated commands (${goal}), all believed to only read: the sandbox leaves no effect`,
    { skip: withoutBoxes },
    (t) => tryGenerated(t, { goal, count: COUNT_IN_SANDBOX, seed, by: "sandbox" }),
  );
}

for (const way of WAYS) {
  test(
    `${COUNT} generated ways around deny rules and protection (${way}): none has an effect`,
    { skip: withoutBoxes },
    (t) => tryBypasses(t, way, COUNT, seed),
  );
}
