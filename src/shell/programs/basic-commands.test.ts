import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../test/support/generators/command-words.ts";
import { isBasic, showsMachine } from "./basic-commands.ts";

/** The flags of each program, and those of the next test that it does not have. */
const BASIC: Readonly<Record<string, readonly string[]>> = {
  pwd: [""],
  echo: ["", "a", "-n a"],
  true: [""],
  false: [""],
  date: ["", "-u", "-I"],
  whoami: [""],
  "basename a": [""],
  "dirname a": [""],
  ls: ["", "-1", "-la", "-aAdFhlprSt", "--all", "--almost-all", "--human-readable", "a b"],
  cat: ["a", "-AbEnsTv a", "-"],
  head: ["-5", "-n5 a", "-c 1 a", "-qv a"],
  tail: ["-n 5 a", "-c5 a", "-q a"],
  wc: ["-clLmw a"],
  stat: ["-c x a", "-f a", "-t a"],
  cut: ["-b1 a", "-c 1 a", "-d x -f 1 -s a"],
  tr: ["a b", "-cds a"],
  uniq: ["-cdiu"],
  sort: ["-bfhnrtuV a", "-k2 a"],
  diff: ["a b", "-biquw a b"],
  find: [". -name x -type f -print", ". -iname x -path y -not -maxdepth 1 -mindepth 1"],
  rg: ["x", "-ABCcFgilnotvw x", "--files"],
  grep: ["-ABCcEFHhilLmnoqrsvwx x", "--color=never x"],
  git: [
    "status -sb",
    "status --short --branch --porcelain",
    "log -p -n 3",
    "log -5 --oneline --stat --graph --decorate --all",
    "diff --stat --cached --staged --name-only --name-status --check",
    "show HEAD --stat --name-only --name-status --oneline",
    "branch --show-current",
    "branch -a -v -vv --list",
    "rev-parse HEAD --show-toplevel --abbrev-ref --short",
    "ls-files -cmo --cached --modified --others --exclude-standard",
  ],
};

for (const [program, all] of Object.entries(BASIC))
  test(`${program} is safe without a sandbox with the flags of the list`, () => {
    for (const rest of all) assert.ok(isBasic(commandOf(`${program} ${rest}`.trim())), `${program} ${rest}`);
    for (const flag of ["-Z", "--unknown", "-nZ", "--output=x", "-o=x"])
      if (program !== "git") assert.ok(!isBasic(commandOf(`${program} ${flag} a`)), `${program} ${flag}`);
  });

for (const text of [
  "git",
  "git push",
  "git status -v",
  "git -C x status",
  "git log --output=x",
  "git branch -d x",
  "git constructor",
  "git toString -x",
  "constructor",
  "toString",
  "rm x",
  "/bin/ls",
  "ls $x",
  "ls --x-la",
  "head -n12345678901 a",
  "head -n1x a",
  "head -1n a",
  "find . -delete",
  "find . -exec x",
  "rg --pre x y",
  "sort -o x y",
  "date -s x",
  "diff --to-file=x y",
  "",
])
  test(`${JSON.stringify(text)} is not safe without a sandbox`, () => {
    assert.ok(!isBasic(commandOf(text)));
  });

test("a command with an assignment is not safe without a sandbox", () => {
  assert.ok(!isBasic(commandOf("ls", { assignments: [{ text: "A=1", literal: true }] })));
});

for (const text of ["ps", "ps aux", "df -h", "free", "uptime", "id"])
  test(`${text} is about the machine`, () => assert.ok(showsMachine(commandOf(text))));

for (const text of ["ls", "top", "", "uptimex"])
  test(`${JSON.stringify(text)} is not about the machine`, () => assert.ok(!showsMachine(commandOf(text))));

test("a redirect makes a command about the machine one about a file", () => {
  const redirects = [{ access: "write", target: { text: "a", literal: true } }] as const;
  assert.ok(!showsMachine(commandOf("ps", { redirects })));
});

for (const [text, expected] of [
  ["head -n123456789 a", true],
  ["head -n1234567890 a", false],
  ["head -12 a", true],
  ["head -1x a", false],
  ["head x-Z a", true],
  ["head --1 a", false],
  ["git branch -vv", true],
  ["git branch -vvv", true],
  ["head -100 a", true],
  ["tail -1000 a", true],
  ["git rev-parse HEAD", true],
] as const)
  test(`${text} ${expected ? "is" : "is not"} safe without a sandbox`, () => {
    assert.equal(isBasic(commandOf(text)), expected);
  });
