import type { JsonObject } from "../../core/json.ts";
import type { StandardSchema } from "../../schema/define/standard-schema.ts";

/** A schema that shows a JSON Schema and accepts every value. */
export type OpenSchema<Input = unknown> = StandardSchema<Input> & {
  readonly "~standard": {
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
};

/**
 * Returns the schema of a tool for SDKs that take Standard Schemas. It refuses nothing: the engine validates, repairs what it can, and
 * answers the model with what is wrong. The AI SDK finds its own form in it, and shows the schema unchanged.
 */
export function openSchema<Input = unknown>(schema: JsonObject): OpenSchema<Input> {
  const json = (): Record<string, unknown> => structuredClone(schema);
  const own = {
    [Symbol.for("vercel.ai.schema")]: true,
    jsonSchema: json(),
    validate: (value: unknown) => ({ success: true, value }),
  };
  const standard: OpenSchema<Input>["~standard"] = {
    version: 1,
    vendor: "toolwright",
    validate: (value) => ({ value: value as Input }),
    jsonSchema: { input: json, output: json },
  };
  return { ...own, "~standard": standard };
}
