import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ToolError } from "../../core/errors.ts";
import { copyJson } from "./copy-json.ts";

test("a copy of any JSON value is equal and shares nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = copyJson(value, "INVALID_INPUT");
      assert.equal(JSON.stringify(copy), JSON.stringify(value));
      if (typeof value === "object" && value !== null) assert.notEqual(copy, value);
    }),
  );
});

test("__proto__ is copied as plain data and pollutes nothing", () => {
  const copy = copyJson(
    JSON.parse('{"__proto__": {"polluted": true}, "a": {"constructor": 1}}'),
    "INVALID_INPUT",
  );
  assert.equal(JSON.stringify(copy), '{"__proto__":{"polluted":true},"a":{"constructor":1}}');
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("a circular value is refused", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  assert.throws(
    () => copyJson(circle, "INVALID_OUTPUT"),
    new ToolError("INVALID_OUTPUT", "the value is circular or nested deeper than 200 levels"),
  );
});

for (const [what, value] of [
  ["a function", { f: () => 1 }],
  ["a BigInt", [1n]],
  ["a symbol", Symbol("x")],
  ["a Map", new Map()],
  ["a Set", { s: new Set() }],
  ["bytes", new Uint8Array(2)],
  ["a promise", { p: Promise.resolve(1) }],
] as const) {
  test(`${what} is refused`, () => {
    assert.throws(() => copyJson(value, "INVALID_OUTPUT"), { code: "INVALID_OUTPUT" });
  });
}

test("what JSON leaves out is left out, and what has a JSON form takes it", () => {
  class Point {
    x = 1;
    missing = undefined;
  }
  const value = { date: new Date(0), point: new Point(), gap: [undefined], nan: Number.NaN };
  assert.deepEqual(copyJson(value, "INVALID_OUTPUT"), {
    date: "1970-01-01T00:00:00.000Z",
    point: { x: 1 },
    gap: [null],
    nan: null,
  });
});

test("every string goes through the mapping, and every key that is not a name; no key is lost", () => {
  const value = { a_name: ["b", { c: "d" }], "k-1": "e", "K-1": "f" };
  const upper = copyJson(value, "INVALID_OUTPUT", (text) => text.toUpperCase());
  assert.deepEqual(upper, { a_name: ["B", { c: "D" }], "K-1": "E", "K-1 2": "F" });
});
