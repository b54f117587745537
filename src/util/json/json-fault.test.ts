import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findJsonFault } from "./json-fault.ts";

const CASES: readonly (readonly [string, number, number, string])[] = [
  ["", 1, 1, "a value"],
  ["{", 1, 2, "a name in double quotes"],
  ['{"a": 1,}', 1, 9, "a name in double quotes"],
  ['{\n  "a" 1\n}', 2, 7, '":"'],
  ["[1 2]", 1, 4, '"," or "]"'],
  ["{} x", 1, 4, "the end"],
  ["{'a': 1}", 1, 2, "a name in double quotes"],
  ["// no\n{}", 1, 1, "a value"],
  ['["a\nb"]', 1, 2, "a value"],
  ["[01]", 1, 2, "a value"],
];

for (const [text, line, column, expected] of CASES) {
  test(`${JSON.stringify(text)} stops being JSON at ${line}:${column}, where ${expected} was expected`, () => {
    assert.deepEqual(findJsonFault(text), { line, column, expected });
  });
}

test("no fault is found in any JSON, however it is laid out", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      assert.equal(findJsonFault(JSON.stringify(value, undefined, indent)), undefined);
    }),
  );
});

test("a fault is found exactly where JSON.parse refuses", () => {
  const pieces = fc.array(
    fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "1", "-", "0.5e3", "true", "nul", " ", "\n", "\\"),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join("");
      assert.equal(findJsonFault(text) === undefined, isJson(text), text);
    }),
    { numRuns: 2000 },
  );
});

test("neither depth nor length is too much", () => {
  assert.equal(findJsonFault("[".repeat(1_000_000))?.column, 1_000_001);
  assert.equal(findJsonFault(`["${"x".repeat(10_000_000)}"`)?.expected, '"," or "]"');
  assert.equal(findJsonFault(`["${"\\n".repeat(5_000_000)}"]`), undefined);
  assert.equal(findJsonFault(" \n".repeat(1_000_000))?.line, 1_000_001);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
