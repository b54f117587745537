import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../core/errors.ts";
import { boolean, integer, list, object, oneOf, optional, record, string } from "./define/schema.ts";
import { parseDocument, type ParseOptions } from "./parse-document.ts";

const SCHEMA = object({
  mode: optional(oneOf(["plan", "ask", "auto"]), "ask"),
  mcpServers: optional(
    record(object({ command: string(), args: optional(list(string())), enabled: optional(boolean()) })),
  ),
  retries: optional(integer("", { min: 0 })),
});

function errorOf(value: unknown, options?: ParseOptions): ToolError {
  try {
    parseDocument(SCHEMA, value, options);
  } catch (error) {
    assert.ok(error instanceof ToolError);
    assert.equal(error.code, "INVALID_INPUT");
    return error;
  }
  return assert.fail("it was accepted");
}

test("a document that fits is copied, with its defaults filled", () => {
  const given = { mcpServers: { x: { command: "node" } } };
  const parsed = parseDocument(SCHEMA, given);
  assert.deepEqual(parsed, { mode: "ask", mcpServers: { x: { command: "node" } } });
  assert.deepEqual(given, { mcpServers: { x: { command: "node" } } });
  assert.deepEqual(parseDocument(SCHEMA, given, { defaults: false }), given);
  const mode: "plan" | "ask" | "auto" = parsed.mode;
  assert.equal(mode, "ask");
});

test("nothing is coerced", () => {
  assert.equal(errorOf({ retries: "5" }).message, 'retries: expected integer, got string "5"');
});

const WRONG: readonly (readonly [value: unknown, message: string, hint: string | undefined])[] = [
  [5, "a.json: the document: expected object, got integer 5", undefined],
  [
    { mcpServers: { x: { command: 5 } } },
    "a.json: mcpServers.x.command: expected string, got integer 5",
    undefined,
  ],
  [
    { mcpServers: { "my server": { command: "a", args: ["b", null] } } },
    'a.json: mcpServers["my server"].args[1]: expected string, got null',
    undefined,
  ],
  [{ mcpServers: { x: {} } }, "a.json: mcpServers.x.command is missing: expected string", undefined],
  [
    { mcpServers: { x: { command: "a", arg: [] } } },
    'a.json: mcpServers.x: unknown key "arg"',
    "did you mean args?",
  ],
  [{ zzz: 1 }, 'a.json: unknown key "zzz"', 'expected one of "mode", "mcpServers", "retries"'],
  [{ mode: "yolo" }, 'a.json: mode: expected one of "plan", "ask", "auto", got string "yolo"', undefined],
  [{ retries: -1 }, "a.json: retries: expected at least 0, got integer -1", undefined],
];

for (const [value, message, hint] of WRONG) {
  test(`${JSON.stringify(value)} is refused with its place`, () => {
    const error = errorOf(value, { name: "a.json" });
    assert.equal(error.message, message);
    assert.equal(error.hint, hint);
  });
}

test("several problems are reported together, and as data", () => {
  const error = errorOf({ mod: "ask", retries: "5" }, { name: "a.json" });
  assert.equal(
    error.message,
    'a.json: 2 problems:\n- retries: expected integer, got string "5"\n- unknown key "mod"; did you mean mode?',
  );
  const { problems } = error.details as { readonly problems: readonly { readonly path: string }[] };
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["/retries", "/mod"],
  );
});

test("a document with secrets shows no wrong value", () => {
  const error = errorOf({ mcpServers: { x: "secret" } }, { hideValues: true });
  assert.equal(error.message, "mcpServers.x: expected object, got string");
  assert.doesNotMatch(JSON.stringify(error), /secret/);
});

test("a value that is not JSON is refused", () => {
  assert.match(errorOf({ retries: 5n }).message, /JSON/);
});

test("places in messages begin at the place of the value", () => {
  const at = { name: "a.json", place: "profiles.x" };
  assert.equal(errorOf(5, at).message, "a.json: profiles.x: expected object, got integer 5");
  assert.equal(
    errorOf({ retries: -1 }, at).message,
    "a.json: profiles.x.retries: expected at least 0, got integer -1",
  );
  assert.equal(errorOf({ zzz: 1 }, at).message, 'a.json: profiles.x: unknown key "zzz"');
});

test("a pattern with a name is reported by its name", () => {
  const even = string("", { pattern: "^(..)*$", expected: "an even number of characters" });
  assert.throws(() => parseDocument(even, "abc", { place: "word" }), {
    message: 'word: expected an even number of characters, got string "abc"',
  });
});
