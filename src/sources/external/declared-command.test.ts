import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/json.ts";
import { fillCommand, readDeclaredCommand, type CommandTemplate } from "./declared-command.ts";

const COUNT: JsonObject = {
  name: "word_count",
  description: "Counts words.",
  command: ["wc", "-w", "{path}"],
  parameters: { path: { type: "string", required: true } },
};

test("a declaration gives a tool with its parameters and its command", () => {
  const read = readDeclaredCommand(COUNT);
  assert.ok("command" in read);
  assert.deepEqual(read.command, ["wc", "-w", "{path}"]);
  assert.equal(read.declaration.name, "word_count");
  assert.deepEqual(read.declaration.input["required"], ["path"]);
});

for (const [what, change, message] of [
  ["no command", { command: undefined }, /command must be a list of texts/],
  ["a command as one text", { command: "wc -w {path}" }, /command must be a list of texts/],
  ["a program that a call would choose", { command: ["{path}"] }, /the program must be a fixed text/],
  ["an unknown parameter", { command: ["wc", "{file}"] }, /\{file\} is not one of its parameters/],
  ["a value in code", { command: ["sh", "-c", "wc -w {path}"] }, /would run as code/],
  ["a value as code", { command: ["sh", "-c", "{path}"] }, /would run as code/],
  ["a value in code after -e", { command: ["perl", "-ne", "print {path}"] }, /would run as code/],
  ["a value as code after --", { command: ["bash", "-c", "--", "{path}"] }, /would run as code/],
  ["a value as code after more options", { command: ["bash", "-cx", "-u", "{path}"] }, /would run as code/],
  ["a value as code of a started shell", { command: ["env", "bash", "-cx", "{path}"] }, /would run as code/],
  ["code in the word of an option", { command: ["node", "--eval={path}"] }, /would run as code/],
  ["code in the word of a short option", { command: ["python3", "-c{path}"] }, /would run as code/],
  ["a value as code of node -p", { command: ["node", "-p", "{path}"] }, /would run as code/],
  ["a value as code of php -r", { command: ["php", "-r", "{path}"] }, /would run as code/],
  ["a value as code of perl -E", { command: ["perl", "-E", "{path}"] }, /would run as code/],
  ["a value as code of awk", { command: ["awk", "-F:", "{path}"] }, /would run as code/],
  ["a program for env", { command: ["env", "-i", "A=b", "{path}"] }, /the program must be a fixed text/],
  ["a program for xargs", { command: ["/usr/bin/xargs", "{path}"] }, /the program must be a fixed text/],
] as const) {
  test(`a declaration with ${what} is a problem`, () => {
    const read = readDeclaredCommand(JSON.parse(JSON.stringify({ ...COUNT, ...change })) as JsonObject);
    assert.ok("problem" in read);
    assert.match(read.problem.message, message);
  });
}

for (const command of [
  ["wc", "-c", "{path}"],
  ["grep", "-e", "{path}"],
  ["sh", "-c", 'wc -w -- "$1"', "sh", "{path}"],
  ["awk", "{print $1}", "{path}"],
  ["sed", "-n", "1p", "{path}"],
  ["mkdir", "-p", "{path}"],
  ["node", "--test", "{path}"],
  ["env", "A=b", "wc", "{path}"],
  ["env", "A={path}", "wc"],
  ["docker", "exec", "{path}", "ls"],
]) {
  test(`a declaration may have the command ${command.join(" ")}`, () => {
    const read = readDeclaredCommand({ ...COUNT, command });
    assert.ok("command" in read, JSON.stringify(read));
  });
}

for (const [what, template, input, filled] of [
  ["a text", ["wc", "{a}"], { a: "x y; rm z" }, ["wc", "x y; rm z"]],
  ["a number in an option", ["head", "--lines={n}", "f"], { n: 3 }, ["head", "--lines=3", "f"]],
  ["a list", ["cat", "{files}"], { files: ["a", "b"] }, ["cat", "a", "b"]],
  ["an absent one", ["ls", "{a}", "--x={b}"], {}, ["ls"]],
  ["an option after --", ["grep", "--", "{a}"], { a: "-v" }, ["grep", "--", "-v"]],
  ["other braces", ["awk", "{print $1}", "{a}"], { a: "f" }, ["awk", "{print $1}", "f"]],
] as const) {
  test(`a parameter is filled in: ${what}`, () => {
    assert.deepEqual(fillCommand(template as unknown as CommandTemplate, input), filled);
  });
}

test("a value that the program would take for an option is refused", () => {
  assert.throws(() => fillCommand(["find", "{path}"], { path: "-delete" }), /must not begin with "-"/);
  assert.throws(() => fillCommand(["cat", "{files}"], { files: ["a", "--help"] }), /must not begin with "-"/);
  // A value at the start of a word: git log --output=FILE writes a file.
  const range: CommandTemplate = ["git", "log", "{from}..{to}"];
  assert.throws(() => fillCommand(range, { from: "--output=x", to: "y" }), /must not begin with "-"/);
  assert.throws(() => fillCommand(["x", "{a}{b}"], { a: "", b: "-rf" }), /must not begin with "-"/);
});
