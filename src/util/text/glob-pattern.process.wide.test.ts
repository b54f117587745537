import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { readJsonLines, sharedData, withoutSharedData } from "../../../test/support/files/shared-data.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import { compileGlob } from "./glob-pattern.ts";
import { runs } from "../../../test/support/property-runs.ts";

test("a pattern matches the paths it should", () => {
  const cases: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
    ["*.ts", ["a.ts", "src/a.ts", ".ts"], ["a.tsx", "a.ts/b"]],
    ["/*.ts", ["a.ts"], ["src/a.ts"]],
    ["src/*.ts", ["src/a.ts"], ["src/b/a.ts", "lib/src/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/b/c/a.ts"], ["a.ts"]],
    ["**/test/**", ["test/a", "a/test/b/c"], ["test", "a/test"]],
    ["**", ["a", "a/b"], []],
    ["a/**/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["b", "a/b/c"]],
    ["{a,b}/x.{js,ts}", ["a/x.js", "b/x.ts"], ["c/x.js", "a/x.jsx"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"], ["b", "ad"]],
    ["[a-c]?[!x]", ["azy", "cab"], ["dzy", "azx", "az"]],
    ["[]]", ["]"], ["["]],
    ["[a-]", ["a", "-"], ["b"]],
    ["\\*\\{", ["*{"], ["a{"]],
    ["[{,}]", ["{", ",", "}"], ["a"]],
    ["?", ["ü", "😀"], ["ab", ""]],
    ["日*", ["日本"], ["本日"]],
  ];
  for (const [pattern, yes, no] of cases) {
    const matches = compileGlob(pattern);
    for (const path of yes) assert.equal(matches(path), true, `${pattern} should match ${path}`);
    for (const path of no) assert.equal(matches(path), false, `${pattern} should not match ${path}`);
  }
});

test("a pattern that cannot be meant is refused", () => {
  for (const pattern of ["[a", "{a", "a}", "a\\", "[z-a]", "{a,b}".repeat(12)]) {
    assert.throws(
      () => compileGlob(pattern),
      (error) =>
        error instanceof ToolError &&
        error.code === "INVALID_INPUT" &&
        error.message.startsWith(`${JSON.stringify(pattern)} is not a valid pattern: it `),
      pattern,
    );
  }
});

test("no pattern makes matching hang", () => {
  const startedAt = performance.now();
  assert.equal(compileGlob(`${"*a".repeat(50)}b`)("a".repeat(255)), false);
  assert.equal(compileGlob(`${"**/a/".repeat(30)}b`)("a/".repeat(500)), false);
  assert(performance.now() - startedAt < 20_000);
});

test("ripgrep itself selects the same files", (context) => {
  const folder = temporaryFolder(context);
  const names = ["a", "b", "ab", "a.b", "aab", "b.a"];
  const paths = [
    ...names,
    ...names.map((name) => `d/${name}`),
    ...names.map((name) => `d/e/${name}`),
    "a1/b/ab",
  ];
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  const program = import.meta.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
  // No negated class: ripgrep lets it match a slash; git and we do not.
  const part = fc.constantFrom("a", "b", "*", "?", ".", "[ab]", "{a,b}", "d", "e", "/", "/**/", "1");
  const pattern = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join("").replaceAll("//", "/"));
  fc.assert(
    fc.property(pattern, (glob) => {
      // A slash at the end means folders, which neither lists.
      fc.pre(!glob.endsWith("/") && !glob.includes("***"));
      const args = ["--files", "--no-ignore", `--glob=${glob}`];
      const listed = runListing(new URL(program).pathname, args, folder);
      assert.deepEqual(paths.filter(compileGlob(glob)).sort(), listed, glob);
    }),
    { numRuns: runs(100) },
  );
});

function runListing(program: string, args: readonly string[], cwd: string): readonly string[] {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter((line) => line !== "")
      .sort();
  } catch {
    return [];
  }
}

/** Cases of the table where our dialect differs, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  matchpat7: "a star never crosses a slash",
  matchcasei2: "there is no option to ignore case",
  matchcasei3: "there is no option to ignore case",
  matchcasei4: "there is no option to ignore case",
  matchalt15: "an empty alternative counts, as in a shell",
  matchslash2: "a backslash is no separator outside Windows",
  matchslash4: "a slash in a class is no member of it: a class stays within a name",
  matchslash5: "a backslash is no separator outside Windows",
  matchbackslash4: "a backslash always escapes",
  matchbackslash5: "a backslash always escapes",
  matchbackslash6: "a backslash always escapes",
  matchnot5: "a slash at the beginning only anchors",
  matchnot20: "a pattern without a slash counts at any depth",
  matchnot25: "a pattern without a slash counts at any depth",
};

interface GlobCase {
  readonly name: string;
  readonly pattern: string;
  readonly path: string;
  readonly match: boolean;
}

test(
  "ripgrep's own table of globs holds, but where our dialect differs",
  { skip: withoutSharedData },
  (t) => {
    const cases = readJsonLines(sharedData("ripgrep-globset.jsonl")) as readonly GlobCase[];
    const different = cases.filter(({ pattern, path, match }) => {
      try {
        return compileGlob(pattern)(path) !== match;
      } catch {
        return true;
      }
    });
    t.diagnostic(`${cases.length} cases, we miss ${different.length}`);
    assert.deepEqual(different.map(({ name }) => name).sort(), Object.keys(DIFFERENT).sort());
  },
);
