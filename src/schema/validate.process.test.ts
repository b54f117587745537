import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Json, JsonObject, JsonSchema } from "../core/json.ts";
import type { Problem } from "../core/result.ts";
import { createValidator } from "./validate.ts";
import { describeProblems } from "../json-schema/problems/findings.ts";
import { loadFull } from "../json-schema/compile-schema.ts";

await loadFull();

const run = promisify(execFile);

function problemsOf(schema: JsonSchema, value: Json): readonly Problem[] {
  const checked = createValidator(schema).check(value);
  assert.ok(!checked.ok, JSON.stringify(checked));
  return checked.problems;
}

const TOOL: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string", description: "File to read", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    lines: { type: "array", items: { type: "integer" }, maxItems: 3 },
  },
  required: ["path"],
  additionalProperties: false,
};

for (const [validator, more] of [
  ["the quick validator", {}],
  ["the full one", { if: true }],
] as const) {
  test(`${validator} says what a schema says in place of its pattern`, () => {
    const schema = { type: "string", pattern: "^x$", patternErrorMessage: "the letter x", ...more };
    assert.deepEqual(
      problemsOf(schema, "y").map(({ expected }) => expected),
      ["the letter x"],
    );
  });
}

test("every kind of problem is reported, all at once, with path, expected, got and the part of the schema", () => {
  assert.deepEqual(problemsOf(TOOL, { pth: "x", limit: 500, lines: [1, true] }), [
    {
      kind: "missing",
      path: "/path",
      expected: "string",
      got: "nothing",
      schema: { type: "string", description: "File to read", minLength: 1 },
    },
    {
      kind: "value",
      path: "/limit",
      expected: "at most 100",
      got: "integer 500",
      schema: { type: "integer", minimum: 1, maximum: 100 },
    },
    { kind: "type", path: "/lines/1", expected: "integer", got: "boolean true", schema: { type: "integer" } },
    {
      kind: "unknown",
      path: "/pth",
      expected: 'one of "path", "limit", "lines"',
      got: '"pth"',
      near: ["path"],
    },
  ]);
});

test("the message for a model has the place, what was expected, what was given and what was meant", () => {
  const text = describeProblems(problemsOf(TOOL, { pth: "x", limit: 500 }));
  assert.match(text, /3 problems/);
  assert.match(text, /\/path is missing: expected string/);
  assert.match(text, /\/limit: expected at most 100, got integer 500; schema: \{"type":"integer"/);
  assert.match(text, /\/pth is not a parameter.*did you mean "path"\?/);
});

const VALUES: readonly (readonly [schema: JsonObject, value: Json, expected: string])[] = [
  [{ minimum: 2 }, 1, "at least 2"],
  [{ maximum: 2 }, 3, "at most 2"],
  [{ exclusiveMinimum: 2 }, 2, "more than 2"],
  [{ exclusiveMaximum: 2 }, 2, "less than 2"],
  [{ multipleOf: 5 }, 7, "a multiple of 5"],
  [{ minLength: 2 }, "😀", "at least 2 characters"],
  [{ maxLength: 2 }, "abc", "at most 2 characters"],
  [{ pattern: "^a" }, "b", "text that matches /^a/"],
  [{ format: "email" }, "nobody", "format email"],
  [{ format: "int32" }, 2 ** 40, "format int32"],
  [{ minItems: 1 }, [], "at least 1 item"],
  [{ maxItems: 1 }, [1, 2], "at most 1 item"],
  [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], "items that all differ"],
  [{ minProperties: 1 }, {}, "at least 1 property"],
  [{ maxProperties: 0 }, { a: 1 }, "at most 0 properties"],
  [{ enum: ["a", 1] }, "b", 'one of "a", 1'],
  [{ const: "a" }, "b", '"a"'],
  [{ not: { type: "string" } }, "b", "a value that does not fit the schema under not"],
];

for (const [schema, value, expected] of VALUES) {
  for (const more of [{}, { $anchor: "a" }]) {
    test(`${JSON.stringify({ ...schema, ...more })} says that it expected ${expected}`, () => {
      const problems = problemsOf({ ...schema, ...more }, value);
      assert.deepEqual(
        problems.map((problem) => [problem.kind, problem.path, problem.expected]),
        [["value", "", expected]],
      );
    });
  }
}

test("decimal steps do not fail by floating point", () => {
  for (const more of [{}, { $anchor: "a" }]) {
    const validator = createValidator({ multipleOf: 0.01, ...more });
    assert.equal(validator.check(19.99).ok, true);
    assert.equal(validator.check(19.995).ok, false);
  }
});

test("a union of types is one problem", () => {
  for (const more of [{}, { $anchor: "a" }]) {
    const schema = { anyOf: [{ type: "integer" }, { type: "null" }], ...more };
    assert.deepEqual(
      problemsOf(schema, "x").map(({ kind, expected }) => [kind, expected]),
      [["type", "integer or null"]],
    );
  }
});

const SHAPES = [
  {
    type: "object",
    properties: { kind: { const: "circle" }, radius: { type: "number" } },
    required: ["kind", "radius"],
  },
  { $ref: "#/$defs/square" },
] as const;
const SHAPE: JsonObject = {
  oneOf: SHAPES,
  $defs: {
    square: {
      type: "object",
      properties: { kind: { enum: ["square"] }, side: { type: "number" } },
      required: ["kind"],
    },
  },
};

for (const [name, more] of [
  ["the quick validator", {}] as const,
  ["the full one", { $anchor: "a" }] as const,
]) {
  test(`of a tagged union only the form that was meant is explained, by ${name}`, () => {
    const schema = { ...SHAPE, ...more };
    const tell = (value: Json): readonly unknown[] =>
      problemsOf(schema, value).map(({ kind, path, expected }) => [kind, path, expected]);
    assert.deepEqual(tell({ kind: "circle" }), [["missing", "/radius", "number"]]);
    assert.deepEqual(tell({ kind: "square", side: true }), [["type", "/side", "number"]]);
    assert.deepEqual(tell({ kind: "line" }), [["value", "/kind", 'one of "circle", "square"']]);
    assert.deepEqual(tell({ side: 1 }), [["missing", "/kind", 'one of "circle", "square"']]);
  });

  test(`a value that fits two forms of a oneOf is refused for that, by ${name}`, () => {
    const schema = { oneOf: [{ minimum: 1 }, { maximum: 5 }], ...more };
    assert.match(problemsOf(schema, 3)[0]?.expected ?? "", /exactly one of 2 forms/);
  });

  test(`an unknown property is refused with near names, by ${name}`, () => {
    const [problem] = problemsOf({ ...TOOL, ...more }, { path: "a", limt: 5 });
    assert.deepEqual([problem?.kind, problem?.path, problem?.near], ["unknown", "/limt", ["limit"]]);
  });
}

test("a union without tags is explained by the form that comes closest", () => {
  const schema = {
    anyOf: [
      { type: "object", properties: { a: { type: "integer" } }, required: ["a", "b", "c"] },
      { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    ],
  };
  assert.deepEqual(
    problemsOf(schema, { url: [5] }).map(({ path }) => path),
    ["/url"],
  );
});

test("at most 20 problems are reported and the rest is counted", () => {
  const checked = createValidator({ type: "array", items: { type: "integer" } }).check(Array(50).fill(true));
  assert.ok(!checked.ok && !("unusable" in checked));
  assert.deepEqual([checked.problems.length, checked.more], [20, 30]);
  assert.match(describeProblems(checked.problems, checked.more), /50 problems[\s\S]*… and 30 more/);
});

test("defaults are filled, nested ones too, and never shared between calls", () => {
  const validator = createValidator({
    type: "object",
    properties: {
      list: {
        type: "array",
        items: { type: "object", properties: { on: { type: "boolean", default: true } } },
      },
      options: { type: "object", properties: { depth: { type: "integer", default: 2 } }, default: {} },
      tags: { type: "array", default: [] },
      again: { $ref: "#/$defs/node" },
    },
    required: ["tags"],
    $defs: {
      node: {
        type: "object",
        properties: { size: { type: "integer", default: 1 }, next: { $ref: "#/$defs/node" } },
      },
    },
  });
  const first = validator.check({ list: [{}], again: { next: { next: {} } } });
  assert.deepEqual(first, {
    ok: true,
    value: {
      list: [{ on: true }],
      options: { depth: 2 },
      tags: [],
      again: { size: 1, next: { size: 1, next: { size: 1 } } },
    },
  });
  const [a, b] = [validator.check({}), validator.check({})];
  assert.ok(a.ok && b.ok);
  assert.notEqual((a.value as JsonObject)["tags"], (b.value as JsonObject)["tags"]);
});

test("a default that does not fit its own schema is not filled", () => {
  const validator = createValidator({
    type: "object",
    properties: { name: { type: "string", default: null }, size: { $ref: "#/$defs/size", default: "big" } },
    $defs: { size: { type: "integer" } },
  });
  assert.deepEqual(validator.check({}), { ok: true, value: {} });
});

test("branches of a union fill no defaults, and with defaults off nothing does", () => {
  const branch = { type: "object", properties: { a: { type: "integer", default: 1 } } };
  assert.deepEqual(createValidator({ anyOf: [branch] }).check({}), { ok: true, value: {} });
  assert.deepEqual(createValidator(branch, { defaults: false }).check({}), { ok: true, value: {} });
});

test("an undefined property counts as absent", () => {
  const value = { path: undefined, limit: undefined } as unknown as JsonObject;
  assert.deepEqual(
    problemsOf(TOOL, value).map(({ kind, path }) => [kind, path]),
    [["missing", "/path"]],
  );
});

test("boolean schemas accept everything or nothing", () => {
  assert.equal(createValidator(true).check({}).ok, true);
  assert.equal(createValidator(false).check({}).ok, false);
});

test("a schema without $schema may use the list form of items of either edition", () => {
  const validator = createValidator({ items: [{ type: "integer" }], additionalItems: false });
  assert.equal(validator.check([1]).ok, true);
  assert.equal(validator.check([1, 2]).ok, false);
});

test("known documents are found by their address and nothing is loaded", () => {
  const documents = { "https://example.org/size": { type: "integer" } };
  const validator = createValidator({ $ref: "https://example.org/size" }, { documents });
  assert.equal(validator.check(1).ok, true);
  assert.equal(validator.check(true).ok, false);
});

test("the full validator is not loaded by importing the quick one nor by the schemas that it knows", async () => {
  const script = `
    import { createValidator } from ${JSON.stringify(new URL("validate.ts", import.meta.url).href)};
    const schema = ${JSON.stringify(TOOL)};
    const quick = createValidator(schema);
    const answers = [quick.check({ path: "a" }).ok, quick.check({}).ok];
    const rare = createValidator({ ...schema, $anchor: "a" });
    const before = rare.check({ path: "a" });
    const prepared = [quick.prepare(), await rare.prepare()];
    console.log(JSON.stringify([...answers, before.unusable, prepared.length, rare.check({ path: "a" }).ok]));
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
  const unusable = "the validator that it needs is not loaded";
  assert.deepEqual(JSON.parse(stdout), [true, false, unusable, 2, true]);
});
