import { test } from "node:test";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { killSandboxes } from "../support/sandboxes/kill-sandboxes.ts";

test(
  "calls whose sandbox or program is killed have one answer each, and nothing is left",
  { skip: withoutBoxes },
  (t) =>
    killSandboxes(t, 21, [
      { calls: 16, parallel: 4 },
      { calls: 16, parallel: 4 },
    ]),
);
