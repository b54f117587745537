// Tests my_tool: node --test test/my_tool.test.mts
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const TOOL = fileURLToPath(new URL("../my_tool.mts", import.meta.url));

function call(input: string, ...args: readonly string[]): Readonly<Record<string, unknown>> {
  return JSON.parse(spawnSync(TOOL, args, { input, encoding: "utf8" }).stdout) as Readonly<
    Record<string, unknown>
  >;
}

test("it greets", () => {
  assert.deepEqual(call('{"name": "Ada"}'), { greeting: "Hello, Ada!" });
});

test("it greets twice", () => {
  assert.deepEqual(call('{"name": "Ada", "times": 2}'), { greeting: "Hello, Ada! Hello, Ada!" });
});

test("a name is needed", () => {
  assert.deepEqual(call("{}"), { error: "name must be a text", error_code: "INVALID_INPUT" });
});

test("input is JSON", () => {
  assert.equal(call("Ada")["error_code"], "INVALID_INPUT");
});

test("it says its name", () => {
  assert.equal(call("", "--schema")["name"], "my_tool");
});
