import assert from "node:assert/strict";
import { test } from "node:test";
import { findPhrases } from "../scripts/check-language.ts";

const CASES: readonly (readonly [line: string, faults: number])[] = [
  ["const found = list();", 1],
  ["const found: string[] = [];", 1],
  ["let found: Match | undefined;", 1],
  ["const [first, kept] = list();", 1],
  ["const { match: found } = search();", 1],
  ["const { found: match } = search();", 0],
  ["const foundAt: number = 5;", 0],
  ["// Stored with the errand.", 1],
];

for (const [line, faults] of CASES)
  test(`${line} has ${faults} faults of language`, () => {
    assert.equal(findPhrases("src/x.ts", line).length, faults);
  });

test("a test may name a constant with a participle, and has no other faults", () => {
  assert.equal(findPhrases("src/x.test.ts", "const found: string[] = [];").length, 0);
  assert.equal(findPhrases("src/x.test.ts", "// Stored with the errand.").length, 1);
});
