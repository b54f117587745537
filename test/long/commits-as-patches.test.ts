import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { ToolError } from "../../src/core/errors.ts";
import { applyHunks } from "../../src/tools/files/patch/apply-hunks.ts";
import { parsePatch } from "../../src/tools/files/patch/patch-text.ts";

/** How many commits of this repository are tried, the newest first. */
const COMMITS = 60;
/** The least part of the diffs without line numbers whose place must be certain. */
const LEAST_APPLIED = 0.9;

/** Each changes the header of a hunk, the rest is as git writes it. */
const FORMS: Readonly<Record<string, (patch: string) => string>> = {
  "a diff": (patch) => patch,
  "a diff with wrong line numbers": (patch) => patch.replaceAll(/^@@ -\d+(.*?) \+\d+/gm, "@@ -9999$1 +9999"),
  "a diff without line numbers": (patch) => patch.replaceAll(/^@@ .*/gm, "@@"),
  "a diff with dots for line numbers": (patch) => patch.replaceAll(/^@@ .*?@@/gm, "@@ ... @@"),
};

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 28 });

/** A clone may have no history. */
const isRepository = spawnSync("git", ["rev-parse", "HEAD~1"]).status === 0;

/** Returns the text files that a commit changes, before and after it, with the diff of each. */
function* changesOf(commit: string): Iterable<{ before: string; after: string; patch: string }> {
  const names = git("diff-tree", "-r", "--no-commit-id", "--diff-filter=M", "--name-only", "-z", commit);
  for (const name of names.split("\0").filter((one) => one !== "")) {
    const patch = git(
      "diff-tree",
      "-p",
      "--no-commit-id",
      "--src-prefix=a/",
      "--dst-prefix=b/",
      commit,
      "--",
      name,
    );
    if (!patch.includes("\n@@ ")) continue;
    yield { before: git("show", `${commit}~1:${name}`), after: git("show", `${commit}:${name}`), patch };
  }
}

test(
  "the commits of this repository, as patches in every form, are applied rightly or refused",
  { skip: !isRepository },
  (t) => {
    const counts = new Map(Object.keys(FORMS).map((form) => [form, { applied: 0, refused: 0 }]));
    for (const commit of git("log", "--no-merges", "--min-parents=1", `-${COMMITS}`, "--format=%H")
      .trim()
      .split("\n")) {
      for (const { before, after, patch } of changesOf(commit)) {
        for (const [form, write] of Object.entries(FORMS)) {
          const count = counts.get(form);
          assert.ok(count);
          try {
            const [file] = parsePatch(write(patch));
            const { text } = applyHunks(before, file?.hunks ?? [], "f");
            assert.equal(text, after, `${form} of ${commit}:\n${patch}`);
            count.applied += 1;
          } catch (error) {
            if (!(error instanceof ToolError)) throw error;
            assert.notEqual(form, "a diff", `${commit}: ${error.message}`);
            count.refused += 1;
          }
        }
      }
    }
    for (const [form, { applied, refused }] of counts) {
      t.diagnostic(`${form}: ${applied} applied, ${refused} refused`);
      assert.ok(applied >= LEAST_APPLIED * (applied + refused), form);
    }
  },
);
