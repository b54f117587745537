import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { seed } from "../support/property-runs.ts";
import { tryHosts, tryWithoutRule } from "../support/sandboxes/try-hosts.ts";

test(
  "8 spellings of 40 denied addresses in 16 programs: what runs in mode yolo reaches none of them",
  { skip: withoutBoxes },
  (t) => tryHosts(t, { seed, spellings: 8, every: 1 }),
);

test("without a rule the same commands do reach them", { skip: withoutBoxes }, async (t) => {
  const { ran, reached } = await tryWithoutRule(t, { seed, spellings: 1, every: 5 });
  assert.ok(reached > ran / 5, `${reached} of ${ran}`);
});
