import { test } from "node:test";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { withoutSharedData } from "../support/files/shared-data.ts";
import { RECORDED, tryRecorded } from "../support/sandboxes/try-commands.ts";

for (const suite of RECORDED) {
  test(
    `recorded hostile commands (${suite.file}, ${suite.suite}), all believed to only read: the sandbox leaves no effect`,
    { skip: withoutSharedData === false ? withoutBoxes : withoutSharedData },
    (t) => tryRecorded(t, suite, "sandbox"),
  );
}
