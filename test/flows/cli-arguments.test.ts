import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli, runProcess } from "./support/cli.ts";

test("if the current folder is gone, calls fail with a hint and help still works", async (t) => {
  const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const place = createPlace(t);
  const call = await runProcess(place, ["call", "ls"], { under: ["sh", "-c", gone, "sh"] });
  assert.deepEqual([call.code, call.stdout], [1, ""]);
  assert.match(call.stderr, /^toolwright: the current folder is gone\n {2}cd to one that exists\n$/);
  assert.equal((await runProcess(place, ["help"], { under: ["sh", "-c", gone, "sh"] })).code, 0);
});

for (const line of [
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
  test(`an unexpected argument is refused, and nothing runs: ${line}`, async (t) => {
    const place = createPlace(t);
    const { code, stdout, stderr } = await runCli(place, line.split(" "));
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^toolwright: unexpected arguments?: /);
    assert.equal(existsSync(join(place.folder, ".toolwright")), false);
  });
}
