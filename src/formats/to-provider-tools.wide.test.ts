import * as fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenLimits } from "../../test/support/models/provider-limits.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../../test/support/files/shared-data.ts";
import type { JsonObject } from "../core/json.ts";
import type { ToolSpec } from "../core/spec.ts";
import { integer, object, optional, string } from "../schema/define/schema.ts";
import type { ProviderFormat } from "./provider-shapes.ts";
import { toProviderTools, toToolsField } from "./to-provider-tools.ts";
import { createToolNames } from "./tool-names.ts";
import { runs } from "../../test/support/property-runs.ts";

interface OpenAiTool {
  readonly function: { readonly description: string; readonly parameters: { readonly description: string } };
}

const FORMATS: readonly ProviderFormat[] = ["openai", "openai-responses", "anthropic", "google", "mcp"];

function spec(input: JsonObject, more: Partial<ToolSpec> = {}): ToolSpec {
  const defaults = {
    name: "t",
    description: "A tool.",
    risk: "medium",
    place: "host",
    source: "app",
  } as const;
  return { ...defaults, effects: "unsafe", input, ...more };
}

const GREP = spec(
  object({ pattern: string("What to find"), limit: optional(integer("How many", { min: 1 })) }),
  {
    name: "grep",
  },
);

const SHOWN: Readonly<Record<ProviderFormat, JsonObject>> = {
  openai: { type: "function", function: { name: "grep", description: "A tool.", parameters: GREP.input } },
  "openai-responses": {
    type: "function",
    name: "grep",
    description: "A tool.",
    parameters: GREP.input,
    strict: false,
  },
  anthropic: { name: "grep", description: "A tool.", input_schema: GREP.input },
  google: {
    name: "grep",
    description: "A tool.",
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string", description: "What to find" },
        limit: { type: "integer", description: "How many", minimum: 1 },
      },
      required: ["pattern"],
    },
  },
  mcp: {
    name: "grep",
    description: "A tool.",
    inputSchema: GREP.input,
    annotations: { readOnlyHint: false },
  },
};

for (const format of FORMATS) {
  test(`a simple tool has the form that ${format} documents`, () => {
    assert.deepEqual(toProviderTools([GREP], format), [SHOWN[format]]);
  });

  test(`converting for ${format} leaves the spec as it was`, () => {
    const input = { $schema: "http://json-schema.org/draft-07/schema#", properties: { "a b": { const: 1 } } };
    const before = structuredClone(input);
    toProviderTools([spec(input)], format, { strict: true });
    assert.deepEqual(input, before);
  });

  test(`${format}: any JSON as a schema converts within the limits and never throws`, () => {
    fc.assert(
      fc.property(anySchema, fc.string(), fc.boolean(), (input, description, strict) => {
        const [tool] = toProviderTools([spec(input, { description })], format, { strict });
        assert.ok(tool);
        assert.deepEqual(brokenLimits(tool, format), []);
      }),
      { numRuns: runs(400) },
    );
  });

  test(
    `all public tool definitions convert within the limits of ${format}`,
    { skip: withoutSharedData },
    () => {
      const specs = publicSpecs();
      assert.ok(specs.length > 600);
      for (const strict of [false, true]) {
        const tools = toProviderTools(specs, format, { strict });
        const broken = tools.flatMap((tool, index) =>
          brokenLimits(tool, format).map((fault) => `${specs[index]?.name}: ${fault}`),
        );
        assert.deepEqual(broken, []);
      }
    },
  );

  test(`names of all public tools map back from ${format}`, { skip: withoutSharedData }, () => {
    const names = publicSpecs().map(({ name }) => name);
    const both = createToolNames(names, format);
    assert.deepEqual(
      names.map((name) => both.original(both.shown(name))),
      names,
    );
    assert.equal(new Set(names.map((name) => both.shown(name))).size, new Set(names).size);
  });
}

test("with no tool there is no tools field, and Google's declarations share one tool", () => {
  for (const format of FORMATS) assert.deepEqual(toToolsField([], format), {});
  const tools = toProviderTools([GREP], "google");
  assert.deepEqual(toToolsField(tools, "google"), { tools: [{ functionDeclarations: tools }] });
  const plain = toProviderTools([GREP], "anthropic");
  assert.deepEqual(toToolsField(plain, "anthropic"), { tools: plain });
});

test("a tool without parameters has an empty object, and for Google none", () => {
  const none = spec({ type: "object", properties: {} });
  const [openai] = toProviderTools([none], "openai") as readonly { readonly function: JsonObject }[];
  assert.deepEqual(openai?.function["parameters"], { type: "object", properties: {} });
  assert.equal(toProviderTools([none], "google")[0]?.["parameters"], undefined);
});

test("strict is set in chat only if requested, always in Responses, and is false without a strict form", () => {
  const specs = [GREP, spec({ type: "object", properties: { any: {} } })];
  const flags = (format: ProviderFormat, strict?: boolean): readonly unknown[] =>
    toProviderTools(specs, format, strict === undefined ? {} : { strict }).map(
      (tool) => ("function" in tool ? tool.function : (tool as JsonObject))["strict"],
    );
  assert.deepEqual(flags("openai"), [undefined, undefined]);
  assert.deepEqual(flags("openai", false), [false, false]);
  assert.deepEqual(flags("openai", true), [true, false]);
  assert.deepEqual(flags("openai-responses"), [false, false]);
  assert.deepEqual(flags("openai-responses", true), [true, false]);
});

test("the checks of these tests refuse tools that were not converted", () => {
  const raw = {
    type: "object",
    properties: { "a b": { type: ["string", "null"], pattern: "(?=x)" } },
    anyOf: [{}],
  };
  const declared = { name: "a b", description: "x".repeat(1025), parameters: raw, strict: true };
  assert.ok(brokenLimits({ type: "function", function: declared }, "openai").length >= 5);
  assert.ok(brokenLimits({ type: "function", ...declared }, "openai-responses").length >= 5);
  assert.ok(brokenLimits({ name: "a b", input_schema: raw }, "anthropic").length >= 4);
  assert.ok(brokenLimits({ name: "1", parameters: raw }, "google").length >= 5);
  assert.ok(brokenLimits({ name: "a b", inputSchema: {}, outputSchema: {} }, "mcp").length >= 3);
});

test("a description too long for OpenAI is cut between words and continues in the parameters", () => {
  const description = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
  const [tool] = toProviderTools(
    [spec({ description: "Own." }, { description })],
    "openai",
  ) as unknown as readonly [OpenAiTool];
  const { description: head, parameters } = tool.function;
  assert.ok(head.length <= 1024 && head.length > 1000);
  assert.match(head, /word\d+…$/);
  const rest = parameters.description;
  assert.equal(`${head.slice(0, -1)} ${rest.slice(1)}`, `${description} Own.`);
});

test("a description without spaces is cut at a whole character", () => {
  const [tool] = toProviderTools(
    [spec({}, { description: "🙂".repeat(1000) })],
    "openai",
  ) as unknown as readonly [OpenAiTool];
  const { description } = tool.function;
  assert.ok(description.isWellFormed());
  assert.ok(description.length <= 1024 && description.length > 1000);
});

test("two tools whose safe names are equal are shown under different names", () => {
  const tools = toProviderTools([spec({}, { name: "a.b" }), spec({}, { name: "a b" })], "anthropic");
  assert.equal(new Set(tools.map((tool) => tool["name"])).size, 2);
});

function publicSpecs(): readonly ToolSpec[] {
  const lines = readJsonLines(sharedData("mcp-tools.jsonl")) as readonly {
    readonly server: string;
    readonly tool: { name: string; description?: string; inputSchema: JsonObject; outputSchema?: JsonObject };
  }[];
  return lines.map(({ server, tool }) =>
    spec(tool.inputSchema, {
      name: `${server}__${tool.name}`,
      description: tool.description ?? "",
      ...(tool.outputSchema !== undefined && { output: tool.outputSchema }),
    }),
  );
}

const KEYWORDS =
  "type properties required items anyOf oneOf allOf not if then else enum const default pattern format minimum maximum exclusiveMinimum multipleOf minLength minItems uniqueItems additionalProperties patternProperties propertyNames prefixItems dependencies dependentRequired $ref $defs definitions $id title description nullable examples contains unevaluatedProperties __proto__ x-other".split(
    " ",
  );
const WORDS = [
  "string",
  "object",
  "array",
  "null",
  "integer",
  "#",
  "#/$defs/a",
  "#/properties/a",
  "a",
  "^(?=x)",
  "[",
];

const anySchema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "schema" },
    fc.constantFrom(...WORDS),
    fc.oneof(fc.boolean(), fc.integer({ min: -2, max: 300 }), fc.constant(null), fc.string({ maxLength: 5 })),
    tie("schema"),
    fc.array(tie("schema"), { maxLength: 3 }),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b c", "__proto__", "é"), tie("schema"), { maxKeys: 3 }),
  ),
  schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie("value"), {
    maxKeys: 5,
  }) as fc.Arbitrary<JsonObject>,
})).schema;
