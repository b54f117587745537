import assert from "node:assert/strict";
import { test } from "node:test";
import { isProtected, isSystemTarget, mayBecomeProtected } from "./protected.ts";

for (const [path, isPattern, expected] of [
  ["/etc/cron.d/x", false, true],
  ["/dev/null", false, false],
  ["/e*/cron.d/x", true, true],
  ["/e*/cron.d/x", false, false],
  ["/*tc/x", true, true],
  ["/{etc,w}/x", true, true],
  ["/?tc", true, true],
  ["/w/a*", true, false],
  ["/w/etc/a*", true, false],
  ["/home/ada/[a]", true, false],
] as const)
  test(`${path}${isPattern ? " as a pattern" : ""} is ${expected ? "a" : "no"} target of the system`, () => {
    assert.equal(isSystemTarget(path, isPattern), expected);
  });

for (const [path, expected] of [
  ["/w/.gi?", true],
  ["/w/.g?t/hooks/x", true],
  ["/w/.g?t/other", false],
  ["/w/.s?h", true],
  ["/w/?git", false],
  ["/w/.bashr[c]", true],
  ["/w/.bashr[c]/x", false],
  ["/w/a{b,c}", false],
] as const)
  test(`${path} ${expected ? "may" : "cannot"} become a protected path`, () => {
    assert.equal(mayBecomeProtected(path), expected);
  });

test("a protected folder protects what is in it and the folders above it", () => {
  const folders = ["/state/tw"];
  assert.deepEqual(
    ["/state/tw/a", "/state/tw", "/state", "/state/twx", "/w/a"].map((path) => isProtected(path, folders)),
    [true, true, true, false, false],
  );
});
