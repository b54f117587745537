import assert from "node:assert/strict";
import { test } from "node:test";
import type { SimpleCommand } from "../../core/command.ts";
import { opensUntracked } from "./opens-untracked.ts";

const commandOf = (text: string): SimpleCommand => ({
  words: text.split(" ").map((word) => ({ text: word, literal: true })),
  assignments: [],
  redirects: [],
  cwds: ["/"],
  via: [],
});

for (const text of [
  "git --version",
  "git status --short",
  "git --no-pager -C sub log -p",
  "git diff --no-indent-heuristic HEAD",
  "git diff --no-color HEAD usr",
  "git diff main feature",
  "git show HEAD:src/a.ts",
  "git grep -n --no-color text",
])
  test(`${text} opens only what git has stored`, () => assert.equal(opensUntracked(commandOf(text)), false));

for (const text of [
  "git diff --no-index a b",
  "git diff --no-ind a",
  "git diff usr etc",
  "git -C usr diff bin ./lib",
  "git diff -- usr etc",
  "git grep --no-index text",
  "git grep --no-i text",
  "git grep --untracked text",
  "git grep --u text",
  "git grep -nOcat text",
  "git grep --open=cat text",
  "git -c alias.x=!cat x",
  "git --work-tree=other diff",
  "git an-alias",
  "git hash-object --stdin-paths",
])
  test(`${text} may open other files`, () => assert.equal(opensUntracked(commandOf(text)), true));
