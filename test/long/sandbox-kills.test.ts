import { test } from "node:test";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { killSandboxes } from "../support/sandboxes/kill-sandboxes.ts";

test(
  "1 000 calls with random kills of sandbox and program have one answer each",
  { skip: withoutBoxes },
  (t) => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    t.diagnostic(`seed ${seed}`);
    return killSandboxes(
      t,
      seed,
      Array.from({ length: 20 }, () => ({ calls: 50, parallel: 8 })),
    );
  },
);
