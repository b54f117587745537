import assert from "node:assert/strict";
import { test } from "node:test";
import { plainArgv } from "./plain-argv.ts";
import { readStrictly } from "../read-strictly.ts";

function argvOf(text: string): readonly string[] | undefined {
  const reading = readStrictly(text, { cwd: "/w" });
  assert("commands" in reading, text);
  return plainArgv(reading.commands);
}

test("one program with literal arguments needs no shell", () => {
  assert.deepEqual(argvOf("git diff 'a b' \"\" # c"), ["git", "diff", "a b", ""]);
  assert.deepEqual(argvOf("./x"), ["./x"]);
});

test("everything else needs a shell", () => {
  for (const text of [
    ..."a; b|a >c|A=1 a|a 2>&1|A=1|echo a|[ a ]|test a|cd a|pwd|true|kill 1".split("|"),
    "a | b",
    "sleep 9 &",
    "a &&\nb",
    "a &\nb",
    ">a",
    "cat <<'E'\nE",
  ]) {
    assert.equal(argvOf(text), undefined, text);
  }
  assert.equal(plainArgv([]), undefined);
});

test("a guessed word, an unknown folder or a wrapper is not plain", () => {
  const plain = {
    words: [{ text: "a", literal: true }],
    assignments: [],
    redirects: [],
    cwds: ["/w"],
    via: [],
  };
  assert.deepEqual(plainArgv([plain]), ["a"]);
  assert.equal(plainArgv([{ ...plain, words: [{ text: "a", literal: false }] }]), undefined);
  assert.equal(plainArgv([{ ...plain, cwds: [] }]), undefined);
  assert.equal(plainArgv([{ ...plain, cwds: ["/w", "/v"] }]), undefined);
  assert.equal(plainArgv([{ ...plain, via: ["env"] }]), undefined);
});
