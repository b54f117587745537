import assert from "node:assert/strict";
import { test } from "node:test";
import { createTwoFilesPatch } from "diff";
import * as fc from "fast-check";
import { applyHunks } from "./apply-hunks.ts";
import { parsePatch } from "./patch-text.ts";
import { runs } from "../../../../test/support/property-runs.ts";

const line = fc.constantFrom("a", "b", "  b", "", "-- x", "++ y", "@@ z", "\\ w", " ", "\tt", "ü");
const text = (end: string) =>
  fc
    .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
    .map(([lines, hasFinal]) => lines.join(end) + (hasFinal && lines.length > 0 ? end : ""));

for (const [name, end] of [
  ["LF", "\n"],
  ["CRLF", "\r\n"],
] as const) {
  for (const context of [1, 3]) {
    test(`a diff of two ${name} texts, with ${context} lines of context, makes the second of the first`, () => {
      fc.assert(
        fc.property(text(end), text(end), (before, after) => {
          fc.pre(before !== after && before !== "");
          const patch = createTwoFilesPatch("a/f", "b/f", before, after, undefined, undefined, { context });
          const [file] = parsePatch(patch);
          assert.equal(applyHunks(before, file?.hunks ?? [], "f").text, after);
        }),
        { numRuns: runs(400) },
      );
    });
  }
}

test("a diff still fits when lines that are nowhere else come before", () => {
  fc.assert(
    fc.property(text("\n"), text("\n"), fc.integer({ min: 1, max: 9 }), (before, after, count) => {
      const [from, to] = [`start\n${before}\nend\n`, `start\n${after}\nend\n`];
      fc.pre(from !== to);
      const patch = createTwoFilesPatch("f", "f", from, to, undefined, undefined, { context: 20 });
      const [file] = parsePatch(patch);
      const added = Array.from({ length: count }, (_, index) => `added ${index}\n`).join("");
      assert.equal(applyHunks(added + from, file?.hunks ?? [], "f").text, added + to);
    }),
  );
});

test("a hunk with its line number applies far down a file of similar lines, in the indentation of the file", () => {
  const before = "    a\n".repeat(120_000);
  const [file] = parsePatch("--- a/f\n+++ b/f\n@@ -110001,2 +110001,2 @@\n a\n-a\n+b\n");
  const { text: after } = applyHunks(before, file?.hunks ?? [], "f");
  assert.equal(after, `${"    a\n".repeat(110_001)}    b\n${"    a\n".repeat(9998)}`);
});

test("a hunk applies after 300 000 lines", () => {
  const before = "a\n".repeat(300_000);
  const [file] = parsePatch("--- a/f\n+++ b/f\n@@ -300001 +300001 @@\n-b\n+c\n");
  assert.equal(applyHunks(`${before}b\n`, file?.hunks ?? [], "f").text, `${before}c\n`);
});

/** Each takes minutes or hours if the time grows with places times lines. */
for (const [what, file, patch, message] of [
  ["lines that repeat", "a\n".repeat(300_000), `${"- a\n".repeat(1000)}-b\n`, /does not match anywhere/],
  ["an indentation that repeats", "a\n".repeat(300_000), "- a\n".repeat(1000), /matches in 299001 places/],
  ["an anchor that repeats", "a\nb\n".repeat(150_000), "@@ a\n-b\n", /matches in 150000 places/],
  ["two anchors that repeat", "a\n".repeat(300_000), "@@ a\n@@ c\n-a\n", /does not match anywhere/],
] as const)
  test(`a hunk with ${what} is refused, in time that grows with the file`, () => {
    const [found] = parsePatch(`*** Begin Patch\n*** Update File: f\n${patch}+c\n*** End Patch\n`);
    assert.throws(() => applyHunks(file, found?.hunks ?? [], "f"), { message });
  });
