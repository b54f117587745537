import assert from "node:assert/strict";
import test from "node:test";
import * as v from "valibot";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import type { InputOf } from "./tool-types.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { integer, object, optional, string } from "./schema.ts";

/** True only where each type fits into the other; `unknown` and `never` fit nothing but themselves. */
type Same<A, B> = [Wrapped<A>, Wrapped<B>] extends [Wrapped<B>, Wrapped<A>] ? true : false;
/** Invariant: what is wrapped can be both given and taken. */
interface Wrapped<T> {
  readonly give: () => T;
  readonly take: (value: T) => void;
}
/** An intersection written as one object. */
type Flat<T> = { [K in keyof T]: T[K] };

test("defaults are filled in: medium risk, on the host, unsafe, source app, no parameters", () => {
  const run = (): number => 1;
  assert.deepEqual(defineTool({ name: "bare", description: "Bare.", run }), {
    name: "bare",
    description: "Bare.",
    risk: "medium",
    place: "host",
    effects: "unsafe",
    source: "app",
    input: { type: "object", properties: {}, additionalProperties: false },
    run,
  });
});

test("the builder's schema types the input of everything the tool declares", () => {
  const tool = defineTool({
    name: "built",
    description: "Built.",
    input: object({ city: string(), days: optional(integer(), 3), unit: optional(string()) }),
    check({ days }) {
      const same: Same<typeof days, number> = true;
      return same ? [] : [];
    },
    riskOf: ({ city }) => (city.startsWith("O") ? "low" : "high"),
    attributes: ({ city, days }) => ({ city, days }),
    run(input) {
      const same: Same<
        Flat<typeof input>,
        { readonly city: string; readonly days: number; readonly unit?: string }
      > = true;
      // @ts-expect-error the schema has no such parameter
      assert.equal(input.country, undefined);
      // @ts-expect-error a text has no such method
      assert.equal(input.city.toFixed, undefined);
      return same;
    },
  });
  assert.equal(tool.riskOf?.({ city: "Oslo", days: 1 }, context()), "low");
  assert.equal(tool.run({ city: "Oslo", days: 1 }, context()), true);
  // @ts-expect-error the city is missing
  assert.equal(typeof (() => tool.run({ days: 1 }, context())), "function");
});

test("a Zod schema gives its JSON Schema for the model and its output type to run", async () => {
  const schema = z.object({
    due: z.string().transform((text) => ({ year: Number(text) })),
    count: z.number().int().default(2),
    colour: z.enum(["red", "green"]).optional(),
  });
  const tool = defineTool({
    name: "zod",
    description: "Zod.",
    input: schema,
    run(input) {
      const year: Same<typeof input.due, { year: number }> = true;
      const count: Same<typeof input.count, number> = true;
      const colour: Same<typeof input.colour, "red" | "green" | undefined> = true;
      // @ts-expect-error after the transform it is no text
      assert.equal(input.due.length, undefined);
      return [year, count, colour];
    },
  });
  const { properties, required } = tool.input as { properties: JsonObject; required: unknown };
  assert.deepEqual(Object.keys(properties), ["due", "count", "colour"]);
  assert.deepEqual(properties["due"], { type: "string" });
  assert.deepEqual(required, ["due"]);
  assert.deepEqual(await tool.parse?.({ due: "2026" }), { value: { due: { year: 2026 }, count: 2 } });
});

test("problems of a schema library are reported by path", async () => {
  const even = z.number().refine((value) => value % 2 === 0, "an even number");
  const tool = defineTool({
    name: "refined",
    description: "Refined.",
    input: z.object({ "a/b": z.object({ list: z.array(even) }) }),
    run: () => 1,
  });
  assert.deepEqual(await tool.parse?.({ "a/b": { list: [2, 3] } }), {
    problems: [
      { kind: "value", path: "/a~1b/list/1", expected: "an even number", got: "a value that was refused" },
    ],
  });
});

test("a JSON Schema written as a literal types the input", () => {
  const tool = defineTool({
    name: "literal",
    description: "Literal.",
    input: {
      type: "object",
      properties: {
        name: { type: "string" },
        size: { type: ["integer", "null"] },
        colour: { enum: ["red", "green"] },
        kind: { const: "fixed" },
        either: { anyOf: [{ type: "string" }, { type: "boolean" }] },
        limit: { type: "integer", default: 5 },
        rows: { type: "array", items: { type: "object", properties: { id: { type: "number" } } } },
        unknown: {},
      },
      required: ["name", "size", "colour", "kind", "either"],
    },
    run(input) {
      const name: Same<typeof input.name, string> = true;
      const size: Same<typeof input.size, number | null> = true;
      const colour: Same<typeof input.colour, "red" | "green"> = true;
      const kind: Same<typeof input.kind, "fixed"> = true;
      const either: Same<typeof input.either, string | boolean> = true;
      const limit: Same<typeof input.limit, number> = true;
      const id: number | undefined = input.rows?.[0]?.id;
      // @ts-expect-error the rows may be left out
      assert.throws(() => input.rows[0]);
      // @ts-expect-error no such property
      assert.equal(input.nome, undefined);
      return [name, size, colour, kind, either, limit, id];
    },
  });
  const input = { name: "a", size: null, colour: "red", kind: "fixed", either: true, limit: 5 } as const;
  assert.deepEqual(tool.run(input, context()), [true, true, true, true, true, true, undefined]);
});

test("a schema known only at run time gives any JSON object", () => {
  const schema: JsonObject = JSON.parse('{"type":"object"}');
  const same: Same<InputOf<typeof schema>, JsonObject> = true;
  const tool = defineTool({ name: "dynamic", description: "Dynamic.", input: schema, run: ({ a }) => a });
  assert.equal(tool.run({ a: 1 }, context()), same ? 1 : 0);
});

test("a library without JSON Schema is refused with what to add", () => {
  const define = (input: ReturnType<typeof bare>) =>
    defineTool({ name: "bare", description: "Bare.", input, run: () => 1 });
  const bare = (vendor: string) => ({
    "~standard": { version: 1 as const, vendor, validate: (value: unknown) => ({ value }) },
  });
  const hintOf = (work: () => unknown): string | undefined => {
    try {
      work();
    } catch (error) {
      return error instanceof ToolError ? error.hint : undefined;
    }
    return undefined;
  };
  const valibot = v.object({ city: v.string() });
  assert.match(
    hintOf(() => defineTool({ name: "v", description: "V.", input: valibot, run: ({ city }) => city })) ?? "",
    /toStandardJsonSchema\(schema\) from "@valibot\/to-json-schema"/,
  );
  assert.match(hintOf(() => define(bare("other"))) ?? "", /implements Standard JSON Schema/);
});

/** These tools reach for nothing. */
function context(): never {
  return undefined as never;
}
