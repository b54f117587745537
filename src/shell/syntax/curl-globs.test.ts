import assert from "node:assert/strict";
import { test } from "node:test";
import { expandCurlGlobs } from "./curl-globs.ts";

for (const [text, expanded] of [
  ["127.0.0.[1-3]", "127.0.0.1 127.0.0.2 127.0.0.3"],
  ["{a,b}.test", "a.test b.test"],
  ["loc{al,}host", "localhost lochost"],
  ["[08-10].test", "08.test 09.test 10.test"],
  ["[1-9:4]", "1 5 9"],
  ["[a-c]{1,2}", "a1 a2 b1 b2 c1 c2"],
  ["[::1]:80", "[::1]:80"],
  ["x{", "x{"],
  ["plain", "plain"],
  ["[3-1]", ""],
] as const)
  test(`curl expands ${text}`, () => {
    assert.equal(expandCurlGlobs(text, 10)?.join(" "), expanded);
  });

test("too many results are not expanded", () => {
  for (const text of ["[1-11]", "[1-4][1-4]", "[1-999999999]", "{1,2,3,4,5,6,7,8,9,10,11}"])
    assert.equal(expandCurlGlobs(text, 10), undefined, text);
});
