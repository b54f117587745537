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
] as const) {
  test(`a declaration with ${what} is a problem`, () => {
    const read = readDeclaredCommand(JSON.parse(JSON.stringify({ ...COUNT, ...change })) as JsonObject);
    assert.ok("problem" in read);
    assert.match(read.problem.message, message);
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
});
