import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { runs } from "../../../../test/support/property-runs.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../../../../test/support/files/shared-data.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { holdFolder } from "../../../system/paths/folder.ts";
import { parseGitignore } from "./gitignore.ts";
import { walkFolder } from "./walk-folder.ts";

test("the last rule that fits decides", () => {
  const rules = parseGitignore(
    "*.log\n!keep.log\n# comment\n\nbuild/\n/top\n[broken\nspaced\\ \ntrailing  \r\n",
  );
  const cases: readonly (readonly [path: string, isFolder: boolean, expected: boolean | undefined])[] = [
    ["a.log", false, true],
    ["deep/a.log", false, true],
    ["keep.log", false, false],
    ["build", true, true],
    ["build", false, undefined],
    ["top", false, true],
    ["deep/top", false, undefined],
    ["# comment", false, undefined],
    ["spaced ", false, true],
    ["trailing", false, true],
    ["other", false, undefined],
  ];
  for (const [path, isFolder, expected] of cases) assert.equal(rules(path, isFolder), expected, path);
});

interface IgnoreCase {
  readonly name: string;
  readonly root: string;
  readonly gitignore: string;
  readonly path: string;
  readonly is_dir: boolean;
  readonly ignored: boolean;
}

test("ripgrep's own table of ignore rules holds", { skip: withoutSharedData }, () => {
  for (const row of readJsonLines(sharedData("ripgrep-gitignore.jsonl")) as readonly IgnoreCase[]) {
    const path = row.path.replace(/^\.\//, "").replace(row.root === '"./src"' ? /^src\// : /^$/, "");
    assert.equal(parseGitignore(row.gitignore)(path, row.is_dir) === true, row.ignored, row.name);
  }
});

const NAMES = [
  "a",
  "b",
  "ab",
  "a.b",
  ".h",
  "a b",
  "#x",
  "!y",
  "a*",
  "[a]",
  "{a,b}",
  "b ",
  "-",
  "A",
  "a\\b",
  "é",
  "]",
];
const RULES =
  `* !*/ !*.b /* !/a /a/* !/a/b a/ **/a a/** a/**/b /**/b ** !** !a/** **/ !**/ / // a//b ./a \\#x \\!y *.b a* .* !.h
  a/b/ [a] \\[a] */ */a ? a\t **a a** a**/b /a** **/* {a,b} [é] [!/] [\\]a] [[:alpha:]] [[:word:]] [a [b-a] \\/ ***/b`.split(
    /[ \n]+/,
  );
const PARTS = [
  "a",
  "b",
  ".",
  "*",
  "**",
  "?",
  "/",
  "\\",
  " ",
  "!",
  "#",
  "-",
  "]",
  "[ab]",
  "[!a]",
  "[a-c]",
  "[]-a]",
  "{a,b}",
];

test("the walk lists what git lists, whatever the ignore files", async (t) => {
  const folder = temporaryFolder(t);
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, {
      cwd: folder,
      env: { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    }).toString();
  git("init", "-q");
  for (const path of NAMES.flatMap((name) => [`d/${name}`, `a/b/${name}`, `${name}/b/a`])) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  const made = fc
    .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join(""));
  const rule = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...RULES) }, made);
  const rules = fc
    .tuple(fc.array(rule, { maxLength: 4 }), fc.constantFrom("\n", "\r\n", "  \n"))
    .map(([lines, end]) => lines.join(end));
  const { signal } = new AbortController();
  await fc.assert(
    fc.asyncProperty(rules, rules, rules, async (exclude, top, nested) => {
      writeFileSync(join(folder, ".git/info/exclude"), exclude);
      writeFileSync(join(folder, ".gitignore"), top);
      writeFileSync(join(folder, "a/.gitignore"), nested);
      const { entries } = await walkFolder(await holdFolder(folder), {
        path: folder,
        maxDepth: 9,
        includeHidden: true,
        isVisible: (path) => path !== ".git",
        signal,
        until: signal,
      });
      const listed = git("ls-files", "-zco", "--exclude-standard").split("\0").slice(0, -1);
      assert.deepEqual(entries.filter((entry) => !entry.endsWith("/")).sort(), listed.sort());
    }),
    { numRuns: runs(60) },
  );
});
