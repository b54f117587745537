import { test } from "node:test";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { withoutSharedData } from "../support/files/shared-data.ts";
import { RECORDED, tryRecorded } from "../support/sandboxes/try-commands.ts";

for (const suite of RECORDED) {
  test(
    `recorded hostile commands (${suite.file}, ${suite.suite}): what runs without approval has no effect`,
    { skip: withoutSharedData === false ? withoutBoxes : withoutSharedData },
    (t) => tryRecorded(t, suite, "policy"),
  );
}
