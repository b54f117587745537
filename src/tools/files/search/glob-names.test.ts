import assert from "node:assert/strict";
import { test } from "node:test";
import { lastNamesOf } from "./list-files.ts";

test("the last names of a pattern are returned if every dialect agrees on them", () => {
  assert.deepEqual(lastNamesOf("*.ts"), ["*.ts"]);
  assert.deepEqual(lastNamesOf("src/**/*.test.ts"), ["*.test.ts"]);
  assert.deepEqual(lastNamesOf("{src,test}/**/*.{ts,js}"), ["*.ts", "*.js"]);
  assert.deepEqual(lastNamesOf("a/.env"), [".env"]);
});

test("no names are returned if they would skip too much or nothing", () => {
  for (const pattern of [
    "*",
    "**",
    "src/**",
    "src/*",
    "a?",
    "[ab].ts",
    "\\*.ts",
    "{,a}b/{,x}",
    "a**b",
    "ü*",
  ]) {
    assert.equal(lastNamesOf(pattern), undefined, pattern);
  }
  assert.equal(lastNamesOf("{a,b,c,d}{a,b,c,d}{a,b,c,d}"), undefined);
});
