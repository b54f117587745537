import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sharedData, withoutSharedData } from "../../test/support/files/shared-data.ts";
import type { CommandReading } from "../core/command.ts";
import type { CommandFact } from "../core/fact.ts";
import { readCommand } from "./reader.ts";

function fact(text: string): CommandFact {
  return { kind: "command", text, cwd: "/w" };
}

function read(text: string, interactive?: true): CommandReading {
  return readCommand({ ...fact(text), ...(interactive === undefined ? {} : { interactive }) }, "/home/me");
}

function lines({ commands }: CommandReading): readonly string[] {
  return commands.map(({ words }) => words.map(({ text }) => text).join(" "));
}

test("a plain command is proven, with its argv", () => {
  const reading = readCommand(fact("git diff --stat"));
  assert.deepEqual(
    [reading.certainty, reading.argv, reading.isReadOnly, reading.doubt],
    ["proven", ["git", "diff", "--stat"], true, undefined],
  );
});

test("a text with broken syntax is unreadable, and dangerous commands in it are found", () => {
  const reading = readCommand(fact("if a; then rm -rf x"));
  assert.equal(reading.certainty, "unreadable");
  assert.ok(lines(reading).includes("rm -rf x"));
  assert.match(reading.doubt ?? "", /syntax/);
});

test("input for a running shell is never proven", () => {
  const { certainty, argv, isReadOnly, doubt } = read("ls", true);
  assert.deepEqual([certainty, argv, isReadOnly], ["read", undefined, false]);
  assert.match(doubt ?? "", /running program/);
});

for (const [text, isReadOnly] of [
  ["ls", true],
  ["ls; git status", true],
  ["ls 2>/dev/null", true],
  ["ls > out", false],
  ["A=1 ls", false],
  ["ls; touch x", false],
  ["timeout 5 ls", true],
  ["timeout 5 touch x", false],
] as const) {
  test(`${text} is ${isReadOnly ? "" : "not "}proven read-only`, () => {
    const reading = read(text);
    assert.deepEqual([reading.certainty, reading.isReadOnly], ["proven", isReadOnly]);
  });
}

for (const [text, via] of [
  ["env rm -rf x", ["env"]],
  ["timeout 5 nice -n 3 rm -rf x", ["timeout", "nice"]],
  ["bash -c 'rm -rf x'", ["bash"]],
  ["bash -c 'ls; bash -c \"rm -rf x\"'", ["bash", "bash"]],
  ['eval "rm -rf x"', ["eval"]],
  ["trap 'rm -rf x' EXIT", ["trap"]],
  ["echo 'rm -rf x' | sh", ["sh"]],
  ["bash <<'E'\nrm -rf x\nE", ["bash"]],
  ["ls $(sudo bash -c 'if a; then rm -rf x; fi')", ["substitution", "sudo", "bash"]],
  ["x=$(bash <<< 'env rm -rf x')", ["substitution", "bash", "env"]],
] as const) {
  test(`in ${JSON.stringify(text)} rm is found, by way of ${via.join(", ")}`, () => {
    const { commands, certainty, paths } = read(text);
    const found = commands.find(({ words }) => words.map((word) => word.text).join(" ") === "rm -rf x");
    assert.deepEqual(found?.via, via);
    assert.notEqual(certainty, "unreadable");
    assert.ok(paths.some((path) => path.text === "x" && path.access === "write" && path.cwd === "/w"));
  });
}

for (const text of ["bash -c ls", "eval ls", "bash -c 'bash -c ls'"]) {
  test(`a script is read but never proven: ${text}`, () => {
    const { certainty, argv, doubt } = read(text);
    assert.deepEqual([certainty, argv], ["read", undefined]);
    assert.ok(doubt);
  });
}

test("a script is read in the folder in which it runs", () => {
  const { commands } = read("cd a && bash -c 'cd b && rm -rf x'");
  assert.deepEqual(commands.find(({ words: [first] }) => first?.text === "rm")?.cwds, ["/w/a/b"]);
});

test("an unterminated script makes the whole text unreadable; a guessed one does not", () => {
  assert.equal(read("bash -c 'ls \"'").certainty, "unreadable");
  assert.equal(read('bash -c "$x \'"').certainty, "read");
});

test("nested scripts are read up to a depth limit, above which the whole text is unreadable", () => {
  const nested = (depth: number): string => `${"eval ".repeat(depth)}rm -rf x`;
  const shallow = read(nested(5));
  assert.ok(lines(shallow).includes("rm -rf x"));
  assert.equal(shallow.certainty, "read");
  assert.equal(read(nested(30)).certainty, "unreadable");
});

test("the target of a redirect is a path at any depth", () => {
  const { paths } = read("if a; then cd sub && ls > out; fi < in");
  assert.ok(paths.some(({ text, cwd, access }) => text === "out" && cwd === "/w/sub" && access === "write"));
  assert.ok(paths.some(({ text, cwd, access }) => text === "in" && cwd === "/w" && access === "read"));
});

interface PublicCase {
  readonly command: string;
  readonly expect: "allow" | "ask" | "deny" | "guarded";
  readonly why: string;
}

test(
  "every public case is read: denied commands are found, and cases that need approval are not proven plain",
  { skip: withoutSharedData },
  () => {
    const { cases } = JSON.parse(readFileSync(sharedData("shell-policy.json"), "utf8")) as {
      cases: PublicCase[];
    };
    for (const { command, expect, why } of cases) {
      const reading = read(command);
      const removes = reading.commands.some(({ words: [first, ...rest] }) => {
        const flags = rest.map(({ text }) => text).filter((text) => text.startsWith("-"));
        return first?.text === "rm" && /r/.test(flags.join("")) && /f/.test(flags.join(""));
      });
      if (expect === "deny") assert.ok(removes, `${command}: ${why}`);
      if (expect === "allow")
        assert.deepEqual([reading.certainty, removes], ["proven", false], `${command}: ${why}`);
      if (command.includes("$(") || command.includes("`"))
        assert.notEqual(reading.certainty, "proven", command);
    }
  },
);
