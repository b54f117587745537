import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli } from "./support/cli.ts";

for (const words of [
  "tools x",
  "batch calls.jsonl",
  "doctor x",
  "init folder",
  "trace a b",
  "help call x",
  "completion bash zsh",
  "/refresh x",
  "replay a b",
  "restore a b",
]) {
  test(`a word too many is refused, and nothing is done: ${words}`, async (t) => {
    const place = createPlace(t);
    const { code, stdout, stderr } = await runCli(place, words.split(" "));
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^toolwright: too many words: /);
    assert.equal(existsSync(join(place.folder, ".toolwright")), false);
  });
}
