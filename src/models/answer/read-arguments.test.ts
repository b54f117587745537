import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readArguments } from "./read-arguments.ts";

test("JSON is what it says, cut off or not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, isCut) => {
      assert.deepEqual(readArguments(JSON.stringify(value), isCut), {
        input: JSON.parse(JSON.stringify(value)) as unknown,
      });
    }),
  );
});

test("a beginning of JSON is never completed where the answer was cut off", () => {
  const whole = '{"path":"a","list":[1,{"b":true}],"text":"x"}';
  for (let length = 1; length < whole.length; length += 1) {
    const { input, unreadable } = readArguments(whole.slice(0, length), true);
    assert.equal(input, whole.slice(0, length));
    assert.match(unreadable ?? "", /cut off/);
  }
});

test("no arguments are an empty object", () => {
  for (const text of ["", " ", "\n"]) assert.deepEqual(readArguments(text, false), { input: {} });
});
