import assert from "node:assert/strict";
import { test } from "node:test";
import { describeChange } from "./restore-checkpoint.ts";

for (const [before, after, says] of [
  ["a\nb\nc\n", "a\nB\nc\nd\n", "+2 -1 lines since"],
  ["", "--- a\n+++ b\n", "+2 -0 lines since"],
  ["-\n+\n", "", "+0 -2 lines since"],
  ["a", "a\n", "+1 -1 lines since"],
  ["a\0", "b", "2 bytes then, 1 now"],
] as const) {
  test(`${JSON.stringify(before)} to ${JSON.stringify(after)} is ${says}`, () => {
    assert.equal(describeChange(Buffer.from(before), Buffer.from(after)), says);
  });
}

test("what is no UTF-8 is told by its size", () => {
  assert.equal(describeChange(Uint8Array.of(0xff, 0xfe), Buffer.from("text")), "2 bytes then, 4 now");
});
