import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../../../test/support/generators/command-words.ts";
import { guessNames, listedLines, listedNames } from "./listed-names.ts";

const known = { text: "a b", literal: true };
const unknown = { text: "", literal: false, guess: "c\n*" };

for (const [command, input, names] of [
  ["find src -name x", undefined, "src x *"],
  ["find . ! -name x", undefined, "*"],
  ["ls -A", undefined, "*"],
  ["ls sub", undefined, "sub *"],
  ["git ls-files src", undefined, "ls-files src"],
  ["git grep -l x", undefined, ""],
  ["grep -rl x src", undefined, ""],
  ["grep x", known, "a b x"],
  ["grep -v x", known, "a b"],
  ["grep --invert-match x", known, "a b"],
  ["egrep x", known, "a b x"],
  ["zgrepx x", known, ""],
  ["sort -u", known, "a b"],
  ["head x", known, "a b"],
  ["sort x", undefined, ""],
  ["make x", known, ""],
  ["grep env", unknown, "c * env *env* .*env*"],
  ["grep e", unknown, "c * e"],
  ["grep 'e*v'", unknown, "c * e*v"],
  ["sort env", unknown, "c *"],
  ["/usr/bin/find x", undefined, "x *"],
] as const)
  test(`${command} may print ${names || "no name"}${input === undefined ? "" : " of its input"}`, () => {
    assert.equal(guessNames(wordsOf(command), input).replaceAll("\n", " ").trim(), names);
  });

for (const [text, names] of [
  ["a b\tc\nd", "a b c d"],
  ["a\0b\\0c", "a b\\0c b0c b c"],
  ["'.e'nv", ".e nv .env"],
  [".e\\nv", ".e\\nv .env .e v"],
  ["a:b,c", "a:b a b c"],
  ["x; - |", "x"],
  ["\\x2eenv", "\\x2eenv x2eenv .env"],
] as const)
  test(`the list ${JSON.stringify(text)} has the names ${names}`, () => {
    assert.deepEqual(listedNames({ text, literal: true }), names.split(" "));
  });

test("an unknown text has the names that are guessed", () => {
  assert.deepEqual(listedNames({ text: "a", literal: false, guess: "b" }), ["a", "b"]);
  assert.deepEqual(listedLines({ text: " a b \n\na b\nc", literal: true }), ["a b", "c"]);
  assert.deepEqual(listedLines({ text: "", literal: false }), []);
});
