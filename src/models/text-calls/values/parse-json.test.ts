import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseJson } from "./parse-json.ts";

test("valid JSON is parsed and not repaired", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(parseJson(JSON.stringify(value)), {
        value: JSON.parse(JSON.stringify(value)) as unknown,
        repaired: false,
      });
    }),
  );
});

const REPAIRED: readonly (readonly [string, unknown])[] = [
  ['{"a": 1,}', { a: 1 }],
  ["{'a': 'it\\'s', 'b': True, 'c': None}", { a: "it's", b: true, c: null }],
  ["{a: 1, b: [2, 3,],}", { a: 1, b: [2, 3] }],
  ['{"a": "one\ntwo\tthree"}', { a: "one\ntwo\tthree" }],
  [String.raw`{"a": "\d+\.\w"}`, { a: String.raw`\d+\.\w` }],
  [String.raw`{"a": "it\'s"}`, { a: "it's" }],
  ['{"a": {"b": [1, 2', { a: { b: [1, 2] } }],
  ['{"a": 1 "b": 2}', { a: 1, b: 2 }],
];
for (const [text, value] of REPAIRED) {
  test(`${JSON.stringify(text)} is repaired, since it has only one meaning`, () => {
    assert.deepEqual(parseJson(text), { value, repaired: true });
  });
}

for (const text of [
  '{"a": "he said "no" to me"}',
  '{"a": "unfinished',
  '{"a": tru',
  '{"a": 1, ...}',
  '{"a": one two}',
  '{"a": 1} {"b": 2}',
  '{"a": "x" + "y"}',
  "plain words",
  "",
  "[".repeat(2000) + "]".repeat(2000),
]) {
  test(`${JSON.stringify(text).slice(0, 40)} is rejected, since its meaning is not certain`, () => {
    assert.equal(parseJson(text), undefined);
  });
}
