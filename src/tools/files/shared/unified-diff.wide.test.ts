import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPatch } from "diff";
import * as fc from "fast-check";
import { shortDiff, unifiedDiff } from "./unified-diff.ts";
import { runs } from "../../../../test/support/property-runs.ts";

const text = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "", " c", "d\r"), { maxLength: 30 }), fc.boolean())
  .map(([lines, hasFinal]) => lines.join("\n") + (hasFinal ? "\n" : ""));

test("applied to the first text, the difference gives the second", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const diff = unifiedDiff("f", before, after);
      assert.equal(applyPatch(before, diff, { autoConvertLineEndings: false, fuzzFactor: 0 }), after);
    }),
    { numRuns: runs(500) },
  );
});

test("a change in a long file is shown with its line and three lines around", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}\n`);
  const diff = unifiedDiff("f", lines.join(""), lines.with(499, "changed\n").join(""));
  assert.equal(
    diff,
    "--- a/f\n+++ b/f\n@@ -497,7 +497,7 @@\n line 497\n line 498\n line 499\n-line 500\n+changed\n line 501\n line 502\n line 503\n",
  );
});

test("no difference is empty, and a new or deleted file is compared with nothing", () => {
  assert.equal(unifiedDiff("f", "a", "a"), "");
  const added = unifiedDiff("f", "", "a\n", { from: undefined, to: "f" });
  assert.equal(added, "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n");
});

test("a difference of more lines than can be compared in time is named, not computed", () => {
  const swapped = (count: number) => unifiedDiff("f", "x\n".repeat(count), "y\n".repeat(count));
  assert.equal(swapped(1500).split("\n").length, 3 + 2 * 1500 + 1);
  assert.equal(swapped(1501), "--- a/f\n+++ b/f\n[the difference is too large to show]\n");
});

test("a long difference is shortened and says by how much", () => {
  assert.match(shortDiff("+x\n".repeat(100)), /\n\[41 more lines of the diff\]$/);
  assert.equal(shortDiff("+x\n"), "+x\n");
});
