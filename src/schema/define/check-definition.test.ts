import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import type { Tool } from "../../core/tool.ts";
import { createEngine } from "../../engine/engine.ts";
import { tool as decorate } from "../../adapters/classes/decorator.ts";
import { defineTool } from "./define-tool.ts";
import { fromFlatSchema } from "../../sources/external/flat-schema.ts";
import { object, string } from "./schema.ts";

const run = (): string => "ran";
const GOOD = { name: "t", description: "Does it.", run };
/** Zod 3 before it implemented Standard Schema. */
const OLD = { _def: {}, safeParse: () => undefined, parse: () => undefined };

const WRONG: Readonly<Record<string, readonly [object, RegExp, RegExp]>> = {
  "no run": [{ run: undefined }, /tool "t": it has no function run/, /add run/],
  "a tool of MCP": [
    { run: undefined, inputSchema: object({}) },
    /it has no function run, but inputSchema/,
    /add run.*write input for inputSchema/,
  ],
  "a tool with the names of the AI SDK": [
    { run: undefined, execute: run, inputSchema: object({}) },
    /it has no function run, but execute and inputSchema/,
    /^write defineTool\(\{ name, description, input: inputSchema, run: execute \}\)$/,
  ],
  "a tool of the AI SDK": [{ name: undefined, execute: run }, /it has no name/, /fromAiSdkTools/],
  "what fromFlatSchema returns": [
    { input: fromFlatSchema({ city: { type: "string" } }) },
    /its input is \{ schema \}/,
    /\.schema$/,
  ],
  "no description": [{ description: undefined }, /it has no description/, /the model reads it/],
  "an unknown risk": [{ risk: "hihg" }, /unknown risk "hihg"/, /did you mean high\?/],
  "unknown effects": [{ effects: "safe" }, /unknown effects "safe"/, /unsafe/],
  "an unknown shape": [{ limits: { shape: "lsit" } }, /unknown limits.shape "lsit"/, /did you mean list\?/],
  "a raw Zod shape": [{ input: { city: z.string() } }, /an object of schemas \(city\)/, /z\.object/],
  "a schema of Zod 3": [{ input: z3.object({ a: z3.string() }) }, /zod schema has no JSON Schema/, /Zod 4/],
  "a schema of an old Zod 3": [{ input: OLD }, /a schema of Zod 3/, /Zod 4/],
  "a date": [{ input: z.object({ due: z.date() }) }, /tool "t": its zod schema .*Date/, /z\.iso\.datetime/],
  "a raw shape of JSON Schema": [
    { input: { city: { type: "string" } } },
    /an object of schemas \(city\)/,
    /object\(/,
  ],
  "the schema under the name that MCP has for it": [
    { inputSchema: object({}) },
    /tool "t": it has inputSchema/,
    /`input`/,
  ],
  "the schema under the name that providers have for it, besides an empty one": [
    { input: object({}), parameters: object({ city: string() }) },
    /tool "t": it has parameters/,
    /`input`/,
  ],
  "no name": [{ name: undefined }, /it has no name/, /add name/],
  "a deadline in text": [{ limits: { timeoutMs: "5000" } }, /limits\.timeoutMs is "5000"/, /positive number/],
  "a limit of no calls": [{ limits: { concurrency: 0 } }, /limits\.concurrency is 0/, /positive number/],
  "text as a schema": [{ input: "city" }, /its input is not a schema/, /object/],
};

for (const [what, [change, message, hint]] of Object.entries(WRONG)) {
  test(`${what} is refused when the tool is defined`, () => {
    assert.throws(() => defineTool({ ...GOOD, ...change }), {
      code: "INVALID_INPUT",
      message,
      hint,
    });
  });
}

test("a JSON Schema without a type is a schema", () => {
  const value = { type: "string" };
  const schemas = ["additionalProperties", "additionalItems", "contentSchema", "not"];
  for (const keyword of [...schemas, "default", "const", "examples", "discriminator", "x-example"])
    assert.deepEqual(defineTool({ ...GOOD, input: { [keyword]: value } }).input, { [keyword]: value });
  const other = { vendor: { type: "plugin" } };
  assert.deepEqual(defineTool({ ...GOOD, input: other }).input, other);
});

test("a tool of an MCP server is accepted with its schema as the input", () => {
  for (const inputSchema of [object({ city: string() }), object({}), { type: "object" }]) {
    const listed = { name: "t", description: "Does it.", inputSchema };
    assert.equal(defineTool({ ...listed, input: listed.inputSchema, run }).input, inputSchema);
  }
});

test("a tool that is not made by defineTool is refused when it is added, and nothing is added", () => {
  const engine = createEngine();
  const broken = { ...defineTool({ ...GOOD, name: "broken" }), run: undefined } as unknown as Tool;
  assert.throws(() => engine.add([defineTool(GOOD), broken]), /tool "broken": it has no function run/);
  assert.deepEqual(engine.list(), []);
});

test("presets that match no tool or parameter are refused, and nothing is added", () => {
  const engine = createEngine();
  const tool = defineTool({ ...GOOD, input: object({ api_key: string(), city: string() }) });
  assert.throws(() => engine.add([tool], { presets: { tt: { api_key: "k" } } }), {
    message: 'presets for "tt", which is not in the list of tools',
  });
  assert.throws(() => engine.add([tool], { presets: { api_key: "k" } as never }), /presets for "api_key"/);
  assert.throws(() => engine.add(tool, { presets: { apikey: "k" } }), /no parameter "apikey"/);
  assert.deepEqual(engine.list(), []);
});

test("presets of a source that match none of its tools are a problem", async () => {
  const engine = createEngine();
  const load = () => Promise.resolve({ tools: [defineTool(GOOD)], problems: [] });
  engine.sources.add({ name: "s", load }, { presets: { tt: { api_key: "k" } } });
  await engine.sources.settled();
  assert.match(engine.sources.problems()[0]?.message ?? "", /presets for "tt", which is not a tool/);
});

test("an unknown mode is refused, of an engine at once, of a ceiling with its call", async () => {
  assert.throws(() => createEngine({ mode: "yollo" as never }), {
    code: "INVALID_INPUT",
    message: 'unknown mode "yollo"',
    hint: "did you mean yolo?",
  });
  const engine = createEngine({ tools: [defineTool({ ...GOOD, risk: "low" })] });
  const result = await engine.run(call("t"), { ceilings: [{ mode: "plann" as never }] });
  assert.equal(codeOf(result), "INVALID_INPUT");
});

test("a legacy decorator is refused", () => {
  const legacy = decorate({ description: "d" }) as unknown as (...given: readonly unknown[]) => void;
  assert.throws(() => legacy({}, "method", { value: run }), {
    code: "INVALID_INPUT",
    hint: /experimentalDecorators/,
  });
});

test("the type of run is that of the JSON which a transform becomes", async () => {
  const input = z.object({ due: z.iso.datetime().transform((text) => new Date(text)) });
  const tool = defineTool({
    ...GOOD,
    risk: "low",
    input,
    run: ({ due }) => {
      const text: string = due;
      return text;
    },
  });
  const result = await createEngine({ tools: [tool] }).run(call("t", { due: "2026-01-02T00:00:00Z" }));
  assert.deepEqual(result.content, [{ type: "text", text: "2026-01-02T00:00:00.000Z" }]);
});

test("an object without risk and effects is refused, with the function that has defaults", () => {
  const plain = { ...GOOD, input: object({}) } as unknown as Tool;
  assert.throws(() => createEngine({ tools: [plain] }), { code: "INVALID_INPUT", hint: /defineTool/ });
});
