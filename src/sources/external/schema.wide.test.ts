import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readSchema } from "./schema.ts";

function read(document: unknown): ReturnType<typeof readSchema> {
  return readSchema(typeof document === "string" ? document : JSON.stringify(document));
}

const FLAT = { city: { type: "string", description: "City", required: true }, days: { type: "integer" } };
const STANDARD = {
  type: "object",
  properties: { city: { type: "string", description: "City" }, days: { type: "integer" } },
  required: ["city"],
};

for (const [form, parameters] of Object.entries({ flat: FLAT, standard: STANDARD }))
  for (const key of ["parameters", "input", "inputSchema", "input_schema"])
    test(`the ${form} form is read under ${key}`, () => {
      assert.deepEqual(read({ name: "weather", description: "Weather.", [key]: parameters }), {
        declaration: { name: "weather", description: "Weather.", input: STANDARD },
      });
    });

test("a tool without parameters and description has empty ones", () => {
  assert.deepEqual(read({ name: "now" }), {
    declaration: { name: "now", description: "", input: { type: "object", properties: {} } },
  });
});

test("aliases of parameters are read, and never part of the schema", () => {
  const aliases = { town: "city" };
  assert.deepEqual(read({ name: "weather", parameters: FLAT, parameter_aliases: aliases }), {
    declaration: { name: "weather", description: "", input: STANDARD, parameterAliases: aliases },
  });
});

test("risk, place, effects and group in a schema are ignored", () => {
  const claims = {
    risk: "low",
    place: "host",
    effects: "none",
    group: "files",
    source: "built-in",
    aliases: ["ls"],
  };
  assert.deepEqual(read({ name: "now", ...claims }), read({ name: "now" }));
});

const NAMES = ["../../x", "a/b", "a b", "a\nb", "", "ä", "a.b", "x".repeat(65), "a\u{0}", "/tool", "${HOME}"];
for (const name of NAMES)
  test(`${JSON.stringify(name.slice(0, 10))} is not a valid name`, () => {
    const given = read({ name });
    assert.ok("problem" in given);
    assert.equal(given.problem.reason, "bad_name");
    assert.doesNotMatch(given.problem.message, /[\n\0]/);
  });

const TROUBLES: Readonly<Record<string, readonly [unknown, string]>> = {
  nothing: ["", "not_json"],
  text: ["usage: x", "not_json"],
  "two values": ['{"name":"a"}\n{"name":"b"}', "not_json"],
  "a list": [[], "bad_schema"],
  "no name": [{ description: "x" }, "bad_schema"],
  "a name that is no text": [{ name: 7 }, "bad_schema"],
  "a description that is no text": [{ name: "a", description: [] }, "bad_schema"],
  "an alias of no parameter": [{ name: "a", parameter_aliases: { town: "city" } }, "bad_schema"],
  "an alias that is a parameter": [
    { name: "a", parameters: FLAT, parameter_aliases: { days: "city" } },
    "bad_schema",
  ],
  "parameters that are a list": [{ name: "a", parameters: [] }, "bad_schema"],
  "a parameter that is text": [{ name: "a", parameters: { b: "string" } }, "bad_schema"],
  "an output that is text": [{ name: "a", output: "text" }, "bad_schema"],
  "a deadline that is text": [{ name: "a", timeout_seconds: "5" }, "bad_schema"],
  "a deadline of nothing": [{ name: "a", limits: { timeoutMs: 0 } }, "bad_schema"],
  "parameters as deep as one can go": [
    `{"name":"a","parameters":{"l":${'{"type":"array","items":'.repeat(30_000)}{}${"}".repeat(30_000)}}}`,
    "bad_schema",
  ],
};
for (const [what, [document, reason]] of Object.entries(TROUBLES))
  test(`${what} is ${reason}`, () => {
    const given = read(document);
    assert.ok("problem" in given);
    assert.equal(given.problem.reason, reason);
  });

const DEADLINES: readonly (readonly [object, number])[] = [
  [{ timeout_seconds: 90 }, 90_000],
  [{ limits: { timeoutMs: 500 } }, 500],
  [{ timeout_seconds: 1e9 }, 3_600_000],
];
for (const [given, expected] of DEADLINES)
  test(`${JSON.stringify(given)} is a deadline of ${expected} ms`, () => {
    const found = read({ name: "a", ...given });
    assert.ok("declaration" in found);
    assert.equal(found.declaration.timeoutMs, expected);
  });

test("output is passed on, returns is not", () => {
  const found = read({ name: "a", output: { type: "object" }, returns: { type: "array" } });
  assert.ok("declaration" in found);
  assert.deepEqual(found.declaration.output, { type: "object" });
  assert.ok(!("returns" in found.declaration));
});

test("no output of a program makes readSchema throw", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.ok(readSchema(text))));
  fc.assert(fc.property(fc.jsonValue(), (parameters) => assert.ok(read({ name: "a", parameters }))));
});
