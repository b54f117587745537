// An input schema is written with the builder, with Zod 4 or another Standard Schema library, or as plain JSON Schema.
// In each case the input of `run` has the type of the schema.
import assert from "node:assert/strict";
import { ToolError, createEngine, defineTool, integer, object, oneOf, optional, string } from "toolwright";
import * as v from "valibot";
import { z } from "zod";

const withBuilder = defineTool({
  name: "with_builder",
  description: "Repeats a word.",
  input: object({
    word: string("What to repeat", { min: 1 }),
    times: optional(integer("How often", { min: 1, max: 9 }), 2),
    style: optional(oneOf(["plain", "loud"], "How it sounds")),
  }),
  risk: "low",
  run: ({ word, times, style }) => (style === "loud" ? word.toUpperCase() : word).repeat(times),
});

const withZod = defineTool({
  name: "with_zod",
  description: "Says when something is due.",
  // A transform runs after validation; what it gives must be JSON.
  input: z.object({ due: z.iso.date().transform((text) => ({ year: Number(text.slice(0, 4)) })) }),
  risk: "low",
  run: ({ due }) => due.year + 1,
});

const withJsonSchema = defineTool({
  name: "with_json_schema",
  description: "Counts the words.",
  input: {
    type: "object",
    properties: { words: { type: "array", items: { type: "string" } } },
    required: ["words"],
  },
  risk: "low",
  run: ({ words }) => words.length,
});

const engine = createEngine({ tools: [withBuilder, withZod, withJsonSchema] });
const answers = await engine.runAll([
  { id: "1", name: "with_builder", input: { word: "ho", style: "loud" } },
  { id: "2", name: "with_zod", input: { due: "2026-03-01" } },
  { id: "3", name: "with_json_schema", input: { words: ["a", "b"] } },
]);
const texts = answers.flatMap(({ content }) => content.map((one) => (one.type === "text" ? one.text : "")));
console.log(texts);
assert.deepEqual(texts, ["HOHO", "2027", "2"]);

// A library without JSON Schema support is refused, with a hint what to add.
const bare = v.object({ word: v.string() });
assert.throws(
  () => defineTool({ name: "bare", description: "Has no JSON Schema.", input: bare, run: () => 0 }),
  (error: unknown) => error instanceof ToolError && error.hint?.includes("@valibot/to-json-schema") === true,
);
await engine.close();
