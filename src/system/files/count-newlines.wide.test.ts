import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { countNewlines } from "./count-newlines.ts";

test("line feeds are counted among every other byte", () => {
  const byte = fc.oneof(fc.constantFrom(0x0a, 0x8a, 0x0b, 0x00, 0xff), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), (values) => {
      assert.equal(countNewlines(Buffer.from(values)), values.filter((value) => value === 0x0a).length);
    }),
  );
});

test("line feeds are counted across the parts of a long text", () => {
  assert.equal(countNewlines(Buffer.from("12345678\n".repeat(40_000))), 40_000);
});
