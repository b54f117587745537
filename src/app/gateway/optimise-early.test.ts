import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { optimiseEarly, WORDS } from "./optimise-early.ts";

function wordsAfter(calls: number, v8: string): readonly string[] {
  const said: string[] = [];
  const note = optimiseEarly({ v8, say: (word) => said.push(word) });
  for (let call = 0; call < calls; call += 1) note();
  return said;
}

test("V8 is told once, by whoever makes many calls", () => {
  assert.deepEqual(wordsAfter(49, "13.6.233.17-node.29"), []);
  assert.deepEqual(wordsAfter(50, "13.6.233.17-node.29"), WORDS);
  assert.deepEqual(wordsAfter(500, "12.4.254.21-node.27"), WORDS);
});

test("a V8 that may not know the words is told nothing", () => {
  assert.deepEqual(wordsAfter(500, "15.0.1.2-node.3"), []);
  assert.deepEqual(wordsAfter(500, "11.3.244.8-node.23"), []);
});

test("the V8 that runs here knows every word", () => {
  const setAll = `for (const word of ${JSON.stringify(WORDS)}) require("node:v8").setFlagsFromString(word)`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", setAll], { encoding: "utf8" });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
});
