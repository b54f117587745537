// A file that somebody changes while the REPL rests: the hook's prompt becomes a turn of the agent, and a call.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, startCli, until } from "./support/cli.ts";

test("a changed file makes an idle agent act on a hook's request", async (t) => {
  const place = createPlace(t);
  const hook = {
    name: "count",
    on: "file_changed",
    match: { path: "*.txt" },
    action: { type: "askAgent", prompt: "Count the lines of {{file.path}}." },
  };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ watch: ["*.txt"], hooks: [hook] }));
  const calls = [{ name: "shell", input: { command: "wc -l notes.txt > counted" } }];
  place.write(
    "script.jsonl",
    [{ text: "Ready." }, { when: "Count the lines of", calls }, { text: "Counted.", repeat: true }]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  const { child, finished, shown } = startCli(place, [
    "chat",
    "--mode",
    "yolo",
    "--model",
    "scripted/script.jsonl",
  ]);
  child.stdin?.write("hello\n");
  await until("it has answered", () => shown.stdout.includes("Ready."));
  place.write("notes.txt", "one\ntwo\n");
  await until("the hook's prompt has become a call", () => shown.stdout.includes("Counted."));
  assert.ok(existsSync(join(place.folder, "counted")));
  child.stdin?.end();
  assert.equal((await finished).code, 0);
});
