import assert from "node:assert/strict";
import { test } from "node:test";
import { createTwoFilesPatch } from "diff";
import * as fc from "fast-check";
import { applyHunks } from "./apply-hunks.ts";
import { parsePatch } from "./apply-patch.ts";
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
