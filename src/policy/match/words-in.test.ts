import assert from "node:assert/strict";
import { test } from "node:test";
import { codePathsIn, namesIn, pathsIn, programsIn, wordsIn } from "./words-in.ts";

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

test("the words of a code are what any other character separates, without punctuation alone", () => {
  for (const [text, expected] of [
    ['system("rm -rf x")', ["system", "rm", "-rf", "x"]],
    ["run(['/bin/rm','a@b=c'])", ["run", "/bin/rm", "a@b=c"]],
    ["a - b ~ . c", ["a", "b", ".", "c"]],
    ["", []],
  ] as const)
    assert.deepEqual(wordsIn(text), expected, text);
});

test("a word of code may name the program at its end", () => {
  for (const [word, isEditor, expected] of [
    ["rm", false, ["rm"]],
    ["/bin/rm", false, ["rm"]],
    ["--@rm", false, ["rm"]],
    ["a=rm", false, ["a=rm", "rm"]],
    ["x-rm", false, ["rm", "x-rm"]],
    ["1rm", false, ["1rm"]],
    ["=", false, []],
  ] as const)
    assert.deepEqual(sorted(programsIn(word, isEditor)), expected, word);
  assert.ok(programsIn("1erm", true).includes("rm"));
});

test("a word of code may name the paths in it", () => {
  for (const [word, expected] of [
    ["a", ["a"]],
    ["x=a/b", ["a/b", "x", "x=a/b"]],
    ["-fa", ["-fa", "a"]],
    ["a-b", ["a-b"]],
    ["u@h", ["h", "u", "u@h"]],
    ["a~b+c", ["a", "a~b+c", "b", "c"]],
    ["b/sub/x", ["b/sub/x", "sub/x"]],
    ["a/x", ["a/x", "x"]],
    ["xa/y", ["xa/y"]],
    ["c/x", ["c/x"]],
  ] as const)
    assert.deepEqual(sorted(codePathsIn(word, false).filter((one) => one !== "")), expected, word);
  assert.ok(!codePathsIn("x1.env", false).includes(".env"));
  assert.ok(codePathsIn("x1.env", true).includes(".env"));
  assert.ok(codePathsIn("a-b", true).includes("b"));
  assert.ok(codePathsIn("wfile", true).includes("file"));
});

test("an argument mentions the names of its words, and what is attached to its options", () => {
  for (const [argument, expected] of [
    ["a/b", ["b"]],
    ["x=a/b:c", ["b", "c", "x"]],
    ["-oab", ["-oab", "ab", "b"]],
    ["--", []],
    ["'a' \"b\"", ["a", "b"]],
  ] as const)
    assert.deepEqual(sorted(namesIn(argument)), expected, argument);
  // Up to the eleventh letter of a cluster.
  assert.deepEqual(namesIn("-abcdefghijklmn").at(-1), "klmn");
  assert.deepEqual(namesIn(`${"x ".repeat(2048)}late`), ["x"]);
});

test("an argument may be a path, or have one after a letter, @, = or :", () => {
  for (const [text, expected] of [
    ["a", ["a"]],
    ["-fa", ["-fa", "a"]],
    ["-f", ["-f"]],
    ["--f", ["--f"]],
    ["--file=a", ["--file=a", "a"]],
    ["f=@a:b", ["@a:b", "a:b", "b", "f=@a:b"]],
    ["a=", ["a="]],
    ["", []],
  ] as const)
    assert.deepEqual(sorted(pathsIn(text)), expected, text);
  assert.equal(pathsIn("a".repeat(4096)).length, 1);
  assert.equal(pathsIn("a".repeat(4097)).length, 0);
});
