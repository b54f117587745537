import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSchema } from "./check-schema.ts";
import type { Run } from "./run-once.ts";

const SCHEMA = {
  name: "word_count",
  description: "Counts words.",
  parameters: { text: { type: "string", required: true } },
};

/** What a program that ended with 0 printed for `--schema`. */
function runOf(stdout: string, parts: Partial<Run> = {}): Run {
  const ended = { exitCode: 0, signal: null, isTooLong: false, isLate: false, stderr: "", left: [] };
  return { ...ended, durationMs: 5, endingMs: 0, stdout, ...parts };
}

function failuresOf(run: Run): readonly string[] {
  const { findings } = checkSchema(run, 1000);
  return findings.flatMap(({ check, state }) => (state === "fail" ? [check] : []));
}

test("a usable schema passes every check, and its input can be validated", () => {
  const checked = checkSchema(runOf(JSON.stringify(SCHEMA)), 1000);
  assert.deepEqual(
    checked.findings.filter(({ state }) => state !== "pass"),
    [],
  );
  assert.deepEqual([checked.isTool, checked.name], [true, "word_count"]);
  assert.deepEqual(checked.input?.["required"], ["text"]);
});

const UNREADABLE: readonly (readonly [string, Run])[] = [
  ["nothing", runOf("")],
  ["text", runOf("usage: word_count FILE")],
  ["a list", runOf("[]")],
  ["an answer that comes too late", runOf("", { isLate: true })],
  ["exit code 2", runOf(JSON.stringify(SCHEMA), { exitCode: 2 })],
];

for (const [what, run] of UNREADABLE)
  test(`${what} in place of a schema fails, and is no tool`, () => {
    assert.deepEqual(failuresOf(run), ["schema"]);
    assert.equal(checkSchema(run, 1000).isTool, false);
  });

const FAULTS: readonly (readonly [string, object, string])[] = [
  ["no name", { name: undefined }, "schema.name"],
  ["a name with a space", { name: "word count" }, "schema.name"],
  ["a blank description", { description: " " }, "schema.description"],
  ["a parameter of an unknown type", { parameters: { text: { type: "words" } } }, "schema.parameters"],
  ["a time limit of 0", { timeout_seconds: 0 }, "schema.timeout_seconds"],
  ["a misspelled key", { timeout_second: 5 }, "schema.reading"],
];

for (const [what, parts, check] of FAULTS)
  test(`${what} fails the check ${check}, with what to do`, () => {
    const run = runOf(JSON.stringify({ ...SCHEMA, ...parts }));
    assert.deepEqual(failuresOf(run), [check]);
    const failed = checkSchema(run, 1000).findings.find(({ state }) => state === "fail");
    assert.ok((failed?.fix ?? "").length > 0);
  });
