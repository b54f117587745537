import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openHistory } from "./history.ts";

test("prompts are restored after a restart, oldest first, with their line breaks", (t) => {
  const file = join(temporaryFolder(t), "state", "prompts.jsonl");
  const history = openHistory(file);
  for (const text of ["one", "two\nlines", "two\nlines", "three"]) history.add(text);
  assert.deepEqual(openHistory(file).entries, ["one", "two\nlines", "three"]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("secrets and prompts that start with a space are recalled, but never stored", (t) => {
  const file = join(temporaryFolder(t), "prompts.jsonl");
  const history = openHistory(file, (text) => text.replaceAll("hunter2", "***"));
  for (const text of ["plain", "my password is hunter2", " private"]) history.add(text);
  assert.deepEqual(history.entries, ["plain", "my password is hunter2", " private"]);
  assert.equal(readFileSync(file, "utf8"), '"plain"\n');
});

test("invalid lines are skipped", (t) => {
  const file = join(temporaryFolder(t), "prompts.jsonl");
  appendFileSync(file, '"one"\n{"half\n17\n"two"\n');
  assert.deepEqual(openHistory(file).entries, ["one", "two"]);
});

test("the history is limited in memory and on disk", (t) => {
  const file = join(temporaryFolder(t), "prompts.jsonl");
  appendFileSync(file, Array.from({ length: 2500 }, (_, index) => `"${index}"\n`).join(""));
  const { entries } = openHistory(file);
  assert.equal(entries.length, 1000);
  assert.equal(entries.at(-1), "2499");
  assert.equal(readFileSync(file, "utf8").split("\n").length, 1001);
});

test("a history whose file cannot be written still works in memory", (t) => {
  const file = join(temporaryFolder(t), "prompts.jsonl");
  mkdirSync(file);
  const history = openHistory(file);
  history.add("one");
  assert.deepEqual(history.entries, ["one"]);
});
