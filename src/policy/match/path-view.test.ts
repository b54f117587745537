import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME } from "../../../test/support/engines/policy-jobs.ts";
import type { PathFact } from "../../core/fact.ts";
import { compileAllowedPaths, compileRestrictedPaths, PathView } from "./match-path.ts";

const BASES = { workspace: ["/w", "/W2"], home: HOME };
const PATHS = [
  "/",
  "/w",
  "/w/a",
  "/W/A",
  "/w/a/b",
  "/w/src",
  "/w/src/a.ts",
  "/w/src/x/a.ts",
  "/w/SRC/A.TS",
  "/x",
  "/x/a",
  "/other/a.ts",
  "/W2/A",
  "/home/ada",
  "/home/ada/x",
  "/w/~x",
];

function viewOf(path: string, changes: Partial<PathFact> = {}): PathView {
  return new PathView({ kind: "path", path, access: "read", ...changes });
}

/** A pattern, the paths that it matches in an allow rule, and in a deny rule. */
const MATCHES = [
  ["src/**", "/w/src/a.ts /w/src/x/a.ts", "/w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS"],
  ["src/*/a.ts", "/w/src/x/a.ts", "/w/src/x/a.ts"],
  ["src/**/a.ts", "/w/src/a.ts /w/src/x/a.ts", "/w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS"],
  ["**/a.ts", "/w/src/a.ts /w/src/x/a.ts", "/w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /other/a.ts"],
  ["/x/*", "/x/a", "/x/a"],
  [
    "/",
    "/",
    "/ /w /w/a /W/A /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /x /x/a /other/a.ts /W2/A /home/ada /home/ada/x /w/~x",
  ],
  [
    "*",
    "/w/a /w/src /W2/A /w/~x",
    "/w/a /W/A /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /W2/A /w/~x",
  ],
  ["a", "/w/a", "/w/a /W/A /w/a/b /W2/A"],
  ["/w/A", "", "/w/a /W/A /w/a/b"],
  ["a/./b", "/w/a/b", "/w/a/b"],
  ["src/", "/w/src/a.ts /w/src/x/a.ts", "/w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS"],
  [
    "**",
    "/w/a /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /W2/A /w/~x",
    "/w /w/a /W/A /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /W2/A /w/~x",
  ],
  [
    "/**",
    "/w /w/a /W/A /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /x /x/a /other/a.ts /W2/A /home/ada /home/ada/x /w/~x",
    "/ /w /w/a /W/A /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /x /x/a /other/a.ts /W2/A /home/ada /home/ada/x /w/~x",
  ],
  ["~/x", "/home/ada/x", "/home/ada/x"],
  ["~", "/home/ada", "/home/ada /home/ada/x"],
  ["~x", "/w/~x", "/w/~x"],
  ["{a,b}/c", "", ""],
  ["s?c/a.ts", "/w/src/a.ts", "/w/src/a.ts /w/SRC/A.TS"],
  ["/W2/A", "/W2/A", "/W2/A"],
  ["A/**/b*", "", "/w/a/b"],
  ["a/**/b/**", "", "/w/a/b"],
  ["/x/a*/**", "", "/x/a"],
] as const;

/** A pattern, and the folders below which it could match, in an allow rule and in a deny rule. */
const BELOW = [
  ["src/**", "/ /w /w/src /w/src/a.ts /w/src/x/a.ts", "/ /w /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS"],
  ["src/*/a.ts", "/ /w /w/src /w/src/a.ts", "/ /w /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS"],
  [
    "**/a.ts",
    "/ /w /w/a /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /W2/A /w/~x",
    "/ /w /w/a /W/A /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /x /x/a /other/a.ts /W2/A /home/ada /home/ada/x /w/~x",
  ],
  [
    "/",
    "",
    "/ /w /w/a /W/A /w/a/b /w/src /w/src/a.ts /w/src/x/a.ts /w/SRC/A.TS /x /x/a /other/a.ts /W2/A /home/ada /home/ada/x /w/~x",
  ],
  ["a", "/ /w", "/ /w /w/a /W/A /w/a/b /W2/A"],
  ["/w/A", "/ /w", "/ /w /w/a /W/A /w/a/b"],
  ["~", "/", "/ /home/ada /home/ada/x"],
  ["{a,b}/c", "/ /w /w/a", "/ /w /w/a /W/A /W2/A"],
  ["/W2/A", "/", "/ /W2/A"],
  ["a/**/b/**", "/ /w /w/a /w/a/b", "/ /w /w/a /W/A /w/a/b /W2/A"],
] as const;

for (const [pattern, allowed, denied] of MATCHES)
  test(`as a path of a rule, ${pattern} matches these paths and no others`, () => {
    const matching = ({ matches }: { readonly matches: (view: PathView) => boolean }) =>
      PATHS.filter((path) => matches(viewOf(path))).join(" ");
    assert.equal(matching(compileAllowedPaths([pattern], BASES)), allowed);
    assert.equal(matching(compileRestrictedPaths([pattern], BASES)), denied);
  });

for (const [pattern, allowed, denied] of BELOW)
  test(`${pattern} could match below these folders and no others`, () => {
    const holding = ({ mayMatchBelow }: { readonly mayMatchBelow: (view: PathView) => boolean }) =>
      PATHS.filter((path) => mayMatchBelow(viewOf(path))).join(" ");
    assert.equal(holding(compileAllowedPaths([pattern], BASES)), allowed);
    assert.equal(holding(compileRestrictedPaths([pattern], BASES)), denied);
  });

test("one of several patterns is enough", () => {
  for (const compile of [compileAllowedPaths, compileRestrictedPaths]) {
    const pattern = compile(["/x/**", "src/**"], BASES);
    assert.deepEqual(
      ["/w/src/a", "/x/a", "/y/a"].map((path) => pattern.matches(viewOf(path))),
      [true, true, false],
    );
    assert.deepEqual(
      ["/w/src", "/x", "/y"].map((path) => pattern.mayMatchBelow(viewOf(path))),
      [true, true, false],
    );
  }
});

test("a deny rule matches by each name of a path, an allow rule by what it is", () => {
  const link = viewOf("/w/conf/prod", { names: ["/w/x", "/w/.env"] });
  assert.equal(compileRestrictedPaths([".env"], BASES).matches(link), true);
  assert.equal(compileAllowedPaths([".env"], BASES).matches(link), false);
  assert.equal(compileRestrictedPaths([".env"], BASES).matches(viewOf("/w/conf/prod")), false);
});

test("a pattern with a tilde needs a home folder", () => {
  for (const compile of [compileAllowedPaths, compileRestrictedPaths])
    assert.throws(() => compile(["~/x"], { workspace: ["/w"], home: undefined }), { code: "INVALID_INPUT" });
});

test("a path says what was found there", () => {
  const flagsOf = (changes: Partial<PathFact>, path = "/usr/a") => {
    const view = viewOf(path, changes);
    return (["isSuspected", "exists", "isFile", "isWrittenFolder", "isSystem"] as const)
      .filter((flag) => view[flag])
      .join(" ");
  };
  for (const [changes, expected] of [
    [{}, ""],
    [{ suspected: true }, "isSuspected"],
    [{ inode: 1 }, "exists"],
    [{ inode: 1, size: 0 }, "exists isFile"],
    [{ inode: 1, access: "write" }, "exists isWrittenFolder"],
    [{ inode: 1, size: 1, access: "write" }, "exists isFile"],
    [{ access: "write" }, ""],
    [{ isSystem: true }, "isSystem"],
    [{ isSystem: true, access: "write" }, ""],
  ] as const)
    assert.equal(flagsOf(changes), expected, JSON.stringify(changes));
  assert.equal(flagsOf({ isSystem: true }, "/srv/a"), "");
  const { others } = viewOf("/w/a", { access: "write", names: ["/w/b", "/w/c"] });
  assert.deepEqual(
    others.map(({ path, access }) => [path, access]),
    [
      ["/w/b", "write"],
      ["/w/c", "write"],
    ],
  );
});
