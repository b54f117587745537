import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Rule } from "../../core/rule.ts";
import { pathFact } from "../../../test/support/engines/policy-jobs.ts";
import { escapePattern } from "../../util/text/name-pattern.ts";
import { compileAllowedPaths, compileRestrictedPaths, PathView } from "./match-path.ts";
import { runs } from "../../../test/support/property-runs.ts";

const bases = { workspace: ["/w", "/other root"], home: "/home/ada" };

const isAllowed = (pattern: string, path: string): boolean =>
  compileAllowedPaths([pattern], bases).matches(new PathView(pathFact(path)));
const isRestricted = (pattern: string, path: string): boolean =>
  compileRestrictedPaths([pattern], bases).matches(new PathView(pathFact(path)));

for (const [pattern, path, allowed, restricted] of [
  ["src/**", "/w/src/a/b", true, true],
  ["src/**", "/w/src", false, true],
  ["src/", "/w/src/a", true, true],
  ["./src/*", "/w/src/a", true, true],
  ["src/*", "/w/src/a/b", false, true],
  ["src", "/w/src/a", false, true],
  ["src", "/w/Src", false, true],
  ["src", "/w/srcs", false, false],
  ["src/a", "/other root/src/a", true, true],
  ["a", "/elsewhere/a", false, false],
  ["**/.env", "/w/.env", true, true],
  ["**/.env", "/w/a/b/.env", true, true],
  ["**/.env", "/elsewhere/.env", false, true],
  ["**/.env", "/w/.env.example", false, false],
  ["**/.env*", "/w/x/.env.local", true, true],
  ["/etc/hosts", "/etc/hosts", true, true],
  ["/etc/hosts", "/ETC/hosts", false, true],
  ["~/notes/*", "/home/ada/notes/x", true, true],
  ["~/notes/*", "/home/adam/notes/x", false, false],
  ["a/**/z", "/w/a/z", true, true],
  ["a/**/z", "/w/a/b/c/z", true, true],
  ["a/**/z", "/w/a/b/c/y", false, false],
  ["*.{pem,key}", "/w/a.key", true, true],
  ["*.{pem,key}", "/w/a.pub", false, false],
  ["{a,b{c,d}}/x", "/w/bd/x", true, true],
  ["file[0-9].txt", "/w/file7.txt", true, true],
  ["file[!0-9].txt", "/w/file7.txt", false, false],
  ["file?.txt", "/w/file😀.txt", true, true],
  [String.raw`a\*b`, "/w/a*b", true, true],
  [String.raw`a\*b`, "/w/axb", false, false],
  ["caf\u{e9}", "/w/cafe\u{301}", false, true],
  ["stra\u{df}e", "/w/STRASSE", false, true],
  ["/**", "/anything/at/all", true, true],
  ["", "/w/a", false, true],
  ["../x", "/x", false, false],
] as const) {
  const says = `${allowed ? "allows" : "does not allow"} and ${restricted ? "denies" : "does not deny"}`;
  test(`${JSON.stringify(pattern)} ${says} ${path}`, () => {
    assert.equal(isAllowed(pattern, path), allowed);
    assert.equal(isRestricted(pattern, path), restricted);
  });
}

test("an escaped path matches itself and nothing else", () => {
  const name = fc.string({
    unit: fc.constantFrom(..."ab*?[]{}\\,!-^~ é".split("")),
    minLength: 1,
    maxLength: 8,
  });
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);
  fc.assert(
    fc.property(path, path, (one, other) => {
      assert.equal(isAllowed(escapePattern(one), one), true);
      assert.equal(isAllowed(escapePattern(one), other), one === other);
    }),
    { numRuns: runs(1000) },
  );
});

test("a deny matches everything that an allow with the same pattern matches", () => {
  const name = fc.constantFrom("a", "b", "*", "**", "?", "[ab]", "{a,b}", "A", "a*", "é");
  const pattern = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const path = fc
    .array(fc.constantFrom("a", "b", "A", "ab", "é"), { maxLength: 4 })
    .map((names) => ["/w", ...names].join("/"));
  fc.assert(
    fc.property(pattern, path, (rule: NonNullable<Rule["path"]>, at) => {
      if (isAllowed(String(rule), at)) assert.equal(isRestricted(String(rule), at), true);
    }),
    { numRuns: runs(2000) },
  );
});

test("mayMatchBelow is true exactly if a longer path matches", () => {
  const deny = compileRestrictedPaths(["a/*/c", "**/.env"], { workspace: ["/w"], home: undefined });
  const exact = compileAllowedPaths(["a/*/c"], { workspace: ["/w"], home: undefined });
  const at = (path: string): PathView => new PathView(pathFact(path));
  assert.equal(deny.mayMatchBelow(at("/anywhere")), true);
  for (const path of ["/", "/w", "/w/a", "/w/a/x"]) assert.equal(exact.mayMatchBelow(at(path)), true, path);
  for (const path of ["/w/a/x/c", "/w/b", "/x"]) assert.equal(exact.mayMatchBelow(at(path)), false, path);
});

test("no pattern makes matching hang", () => {
  const started = performance.now();
  assert.equal(isRestricted(`${"*a".repeat(200)}b`, `/w/${"a".repeat(4000)}`), false);
  assert.equal(isRestricted(`${"**/a/".repeat(100)}b`, `/w/${"a/".repeat(1000)}`), false);
  assert.ok(performance.now() - started < 20_000);
});

test("a pattern with too many alternatives is rejected", () => {
  assert.throws(() => isAllowed("{a,b,c,d}".repeat(6), "/w/a"), /more than 256 patterns/);
});
