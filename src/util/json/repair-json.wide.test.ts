import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { plainJson } from "../../../test/support/generators/plain-json.ts";
import { repairJson } from "./repair-json.ts";

test("valid JSON is parsed and not repaired", () => {
  fc.assert(
    fc.property(plainJson(), (value) => {
      assert.deepEqual(repairJson(JSON.stringify(value)), {
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
  ['{"a": 1, // one\n "b": [2 /* two */]} # end\n', { a: 1, b: [2] }],
  ["['it', \"it's\"]", ["it", "it's"]],
];
for (const [text, value] of REPAIRED) {
  test(`${JSON.stringify(text)} is repaired, since it has only one meaning`, () => {
    assert.deepEqual(repairJson(text), { value, repaired: true });
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
  '["a.txt"\n"b.txt"]',
  "['a' 'b']",
  '{"path", "src"}',
  "{'path', 'src'}",
  '{"zip": 02139}',
  "[,1]",
  "[1,,2]",
  "[1 2]",
  '{"a": 1,',
  '{"a": +5}',
  '{"a": 0x1F}',
  '{"a": 1_000}',
  '{"a": NaN}',
  '{"a": (1, 2)}',
  "{'cmd': 'echo 'a', 'b': 'c'}",
  "{a: 1, a: 2}",
  '{"a": "x"//"y"}',
  '{"a": [1, 2}',
  "",
  "[".repeat(2000) + "]".repeat(2000),
]) {
  test(`${JSON.stringify(text).slice(0, 40)} is rejected, since its meaning is not certain`, () => {
    assert.equal(repairJson(text), undefined);
  });
}

test("missing brackets are added only if the text is known not to be cut off", () => {
  assert.equal(repairJson('{"a": {"b": 1}', { isWhole: false }), undefined);
  assert.deepEqual(repairJson('{"a": {"b": 1,}}', { isWhole: false }), {
    value: { a: { b: 1 } },
    repaired: true,
  });
});
