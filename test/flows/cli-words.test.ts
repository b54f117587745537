import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli } from "./support/cli.ts";

test("where the current folder is gone that is told, and help is there all the same", async (t) => {
  const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const place = createPlace(t);
  const told = await runCli(place, ["call", "ls"], { under: ["sh", "-c", gone, "sh"] });
  assert.deepEqual([told.code, told.stdout], [1, ""]);
  assert.match(told.stderr, /^toolwright: the current folder is gone\n {2}cd to one that exists\n$/);
  assert.equal((await runCli(place, ["help"], { under: ["sh", "-c", gone, "sh"] })).code, 0);
});

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
  "mcp list x",
]) {
  test(`a word too many is refused, and nothing is done: ${words}`, async (t) => {
    const place = createPlace(t);
    const { code, stdout, stderr } = await runCli(place, words.split(" "));
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^toolwright: too many words: /);
    assert.equal(existsSync(join(place.folder, ".toolwright")), false);
  });
}
