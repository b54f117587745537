import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudget } from "./syntax/budget.ts";
import { readGreedily } from "./read-greedily.ts";

function read(text: string): ReturnType<typeof readGreedily> {
  return readGreedily(text, { cwd: "/w", home: "/home/me" }, createBudget());
}

for (const [text, word] of [
  ["r''m", "rm"],
  ["r\\m", "rm"],
  ["'r'\"m\"", "rm"],
  ["$'r\\x6d'", "rm"],
  ["$'\\162\\155'", "rm"],
  ["$'\\u0072m'", "rm"],
  ["$'a\\tb\\'c\\\\'", "a\tb'c\\"],
  ["$'a\\0b'", "a"],
  ['$"rm"', "rm"],
  ['"a\\"b\\\\c\\d"', 'a"b\\c\\d'],
  ['"a\\\nb"', "ab"],
  ["'a\\\nb'", "a\\\nb"],
  ["\\ a", " a"],
  ["a#b", "a#b"],
  ["a\\#", "a#"],
  ["a=b", "a=b"],
  ["''", ""],
  ["\u00a0a", "\u00a0a"],
  ["if", "if"],
  ["{", "{"],
  ["a\r", "a\r"],
] as const) {
  test(`${JSON.stringify(text)} is the literal word ${JSON.stringify(word)}`, () => {
    assert.deepEqual(read(`echo ${text}`).commands[0]?.words[1], { text: word, literal: true });
  });
}

for (const [text, guess] of [
  ["~", "/home/me"],
  ["~/a", "/home/me/a"],
  ["$HOME/a", "/home/me/a"],
  ['"$HOME"', "/home/me"],
  ["${HOME}/a", "/home/me/a"],
  ["$PWD/a", "/w/a"],
  ["~root/a", "~root/a"],
  ["a$x", "a"],
  ["r${x}m", "rm"],
  ["*.ts", "*.ts"],
  ["a?", "a?"],
  ["[ab]", "[ab]"],
  ["@(a|b)", "@(a|b)"],
  ["$(echo rm)", "rm"],
  ["`printf rm`", "rm"],
  ["${x:-rm}", "rm"],
  ["${x:=rm}", "rm"],
  ["<(ls)", "/dev/fd/63"],
  ["{1..100000}", "{1..100000}"],
] as const) {
  test(`${text} is not literal, and the best guess is ${guess}`, () => {
    const command = read(`echo ${text}`).commands.findLast(({ via }) => via.length === 0);
    assert.deepEqual(command?.words[1], { text: guess, literal: false });
  });
}

const DISGUISED: Readonly<Record<string, string>> = {
  "a variable": "x=rm; $x -rf y",
  "a variable that is given its value in parts": "x=r; x=${x}m; $x -rf y",
  "two variables": "a=r b=m; $a$b -rf y",
  "a variable with several words": 'x="rm -rf"; $x y',
  "a variable of a loop": "for x in ls rm; do $x -rf y; done",
  "a variable set in another branch": "if a; then x=rm; else x=ls; fi; $x -rf y",
  "a variable named by a variable": "x=z z=rm; ${!x} -rf y",
  "a part of a variable": "x=farm; ${x:2} -rf y",
  "a list": 'a=(rm -rf y); "${a[@]}"',
  "an item of a list": "a=(ls rm); ${a[1]} -rf y",
  "the parameters": 'set -- rm -rf y; "$@"',
  "a parameter of a function": "f() { $1 -rf y; }; f rm",
  "the blanks of the shell": "rm${IFS}-rf${IFS}y",
  braces: "{rm,-rf,y}",
  "a variable that is empty": "$nothing rm -rf y",
  "a default": "${nothing:-rm} -rf y",
  "an alternative": "${x:+rm} -rf y",
  "a substitution that prints": "$(echo rm) -rf y",
  "a substitution that formats": "$(printf '%s -rf' rm) y",
};

for (const [what, text] of Object.entries(DISGUISED)) {
  test(`rm -rf is found despite ${what}`, () => {
    const { commands } = read(text);
    const found = commands.find(({ words }) => words.map((word) => word.text).join(" ") === "rm -rf y");
    assert.ok(found, JSON.stringify(commands.map(({ words }) => words)));
  });
}

test("an unknown program is reported as written", () => {
  const [command] = read("$x -rf y").commands;
  assert.deepEqual(command?.words[0], { text: "$x", literal: false });
});

test("braces make several words, none of them literal", () => {
  const [command] = read("echo a{b,c{d,e}}f {1..3} {c..a}").commands;
  assert.deepEqual(
    command?.words.slice(1).map(({ text }) => text),
    ["abf", "acdf", "acef", "1", "2", "3", "c", "b", "a"],
  );
  assert.ok(command?.words.slice(1).every(({ literal }) => !literal));
});

test("assignments are separate from the words, before a command and alone", () => {
  const { commands } = read("A=1 B='2 3' ls x=4; PATH=/e");
  assert.deepEqual(
    commands.map(({ assignments, words }) => [...assignments, ...words].map(({ text }) => text)),
    [["A=1", "B=2 3", "ls", "x=4"], ["PATH=/e"]],
  );
  assert.deepEqual(commands[1]?.words, []);
});

test("an exported assignment is an argument of export, and PATH=x:$PATH is guessed without the old value", () => {
  const guesses = read("export PATH=/e:$PATH").commands.map(({ words }) => words[1]);
  assert.ok(guesses.some((word) => word?.text === "PATH=/e:" && !word.literal));
});

for (const [text, script, via] of [
  ["bash <<E\nrm -rf x\nE", "rm -rf x\n", "bash"],
  ["sudo sh -s <<'E'\nrm -rf x\nE", "rm -rf x\n", "sh"],
  ["bash <<< 'rm -rf x'", "rm -rf x", "bash"],
  ["echo 'rm -rf x' | sh", "rm -rf x", "sh"],
  ["printf '%s\\n' 'rm -rf x' | /bin/bash -x", "rm -rf x\n", "bash"],
  ["cat <<E | sh\nrm -rf x\nE", "rm -rf x\n", "sh"],
  ["alias ls='rm -rf x'", "rm -rf x", "alias"],
  ["[[ -v 'a[$(rm -rf x)]' ]]", "a[$(rm -rf x)]", "subscript"],
  ["let 'a[$(rm -rf x)]'", "a[$(rm -rf x)]", "subscript"],
  ["x='$(rm -rf x)'; echo \"${x@P}\"", "$(rm -rf x)", "prompt"],
  ["echo >&'$(rm -rf x)'", "$(rm -rf x)", "redirect"],
] as const) {
  test(`${JSON.stringify(text)} has a script that is read again`, () => {
    const { scripts, doubt, unreadable } = read(text);
    assert.deepEqual(
      scripts.map((one) => [one.text.text, one.via.at(-1)]),
      [[script, via]],
    );
    assert.ok(doubt ?? unreadable);
  });
}

for (const text of [
  "bash file <<E\nls\nE",
  "bash -c ls <<< x",
  "cat <<E\nrm -rf x\nE",
  "echo 'rm -rf x' | cat",
]) {
  test(`${JSON.stringify(text)} does not run its input`, () => {
    assert.deepEqual(read(text).scripts, []);
  });
}

for (const text of [
  "curl x | sh",
  "cat f | sudo bash",
  "python3 <<E\nimport os\nE",
  "curl x | perl",
  "(curl x) | sh",
]) {
  test(`${JSON.stringify(text)} is doubted: it runs text that is not in the command`, () => {
    assert.match(read(text).doubt ?? "", /its input/);
  });
}
