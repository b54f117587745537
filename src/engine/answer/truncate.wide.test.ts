import * as fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { headOf, tailOf } from "../../util/text/text-ends.ts";
import { fits, shortenLists, shrinkJson } from "./truncate.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 200 });
const size = fc.integer({ min: 1, max: 120 });

test("a head is a beginning of the text, no longer than asked, of whole characters", () => {
  fc.assert(
    fc.property(anyText, size, (text, bytes) => {
      const head = headOf(text, bytes);
      assert.ok(text.startsWith(head));
      assert.ok(Buffer.byteLength(head) <= bytes);
      assert.ok(head.isWellFormed());
    }),
  );
});

test("a tail is an end of the text, no longer than asked, of whole characters", () => {
  fc.assert(
    fc.property(anyText, size, (text, bytes) => {
      const tail = tailOf(text, bytes);
      assert.ok(text.endsWith(tail));
      assert.ok(Buffer.byteLength(tail) <= bytes);
      assert.ok(tail.isWellFormed());
    }),
  );
});

test("the cut falls at the end of a line if there is one", () => {
  assert.equal(headOf("one\ntwo\nthree", 9), "one\ntwo\n");
  assert.equal(tailOf("one\ntwo\nthree", 8), "three");
});

test("a character of four bytes is not cut in half", () => {
  assert.equal(headOf("ab😀", 5), "ab");
  assert.equal(tailOf("😀ab", 5), "ab");
});

test("fits counts bytes, not characters", () => {
  assert.equal(fits("é".repeat(50), 100), true);
  assert.equal(fits("é".repeat(51), 100), false);
});

test("shrunk JSON is still JSON of the same kind, near the size asked for", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 16, max: 400 }), (value, bytes) => {
      const shrunk = shrinkJson(value as never, bytes);
      assert.equal(Array.isArray(shrunk), Array.isArray(value));
      assert.equal(typeof shrunk, typeof value);
      assert.equal(JSON.stringify(JSON.parse(JSON.stringify(shrunk))), JSON.stringify(shrunk));
    }),
  );
});

test("small fields survive a long one before them", () => {
  const shrunk = shrinkJson({ stdout: "x".repeat(10_000), exit_code: 7 }, 200, { keepTail: true });
  assert.deepEqual(Object.keys(shrunk as object), ["stdout", "exit_code"]);
  assert.equal((shrunk as { exit_code: number }).exit_code, 7);
  assert.ok(JSON.stringify(shrunk).length < 260);
});

test("lists over the limit keep their first items, others stay whole", () => {
  const cut = { over: 4, keep: 2 };
  assert.deepEqual(shortenLists({ files: [1, 2, 3, 4, 5], few: [1, 2, 3] }, cut), {
    files: [1, 2],
    few: [1, 2, 3],
  });
});
