import assert from "node:assert/strict";
import { test } from "node:test";
import { readJsonLines, sharedData, withoutSharedData } from "../../../../test/support/shared-data.ts";
import { parseGitignore } from "./walk-folder.ts";

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
