import assert from "node:assert/strict";
import { test } from "node:test";
import { isObject, parseObject } from "./json.ts";

test("only a JSON object is an object", () => {
  assert.ok(isObject({}));
  for (const value of [null, [], "{}", 1, undefined, true]) assert.equal(isObject(value), false);
});

test("a text is read as an object, and anything else is refused", () => {
  assert.deepEqual(parseObject(' {"a": [1, null]} '), { a: [1, null] });
  for (const text of ["", "{", "[]", "null", '"a"', "1", "{a: 1}", '{"a": 1} x'])
    assert.equal(parseObject(text), undefined, text);
});
