import type { ToolContext } from "../../core/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { object, type Infer } from "./schema.ts";
import type { FromJsonSchema } from "./schema-type.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { isStandardSchema, parseStandard, toJsonSchema, type StandardSchema } from "./standard-schema.ts";
import type { Tool, ToolOutput } from "../../core/tool.ts";

/** The builder's schema, a Standard Schema library's, or plain JSON Schema. */
export type InputSchema = JsonObject | StandardSchema;

/** The input type of `run` for a schema; any object if the schema is only known at run time. */
export type InputOf<S> =
  S extends StandardSchema<infer _Input, infer Output>
    ? Output
    : [Infer<S>] extends [never]
      ? FromJsonSchema<S>
      : unknown extends Infer<S>
        ? JsonObject
        : Infer<S>;

type OptionalSpec = Partial<Omit<ToolSpec, "name" | "description" | "input">>;
type Behaviour<Input> = Omit<Tool<Input>, keyof ToolSpec | "run" | "parse">;

/** The definition of a tool. Defaults: risk medium, place host, effects unsafe. */
export interface ToolDefinition<S extends InputSchema> extends OptionalSpec, Behaviour<InputOf<S>> {
  readonly name: string;
  readonly description: string;
  /** Default: no parameters. */
  readonly input?: S;
  run(input: InputOf<S>, context: ToolContext): ToolOutput;
}

/** Creates a tool from its definition; the schema gives the input type of `run`. */
export function defineTool<const S extends InputSchema = JsonObject>(
  definition: ToolDefinition<S>,
): Tool<InputOf<S>> {
  const { input } = definition;
  const defaults = { risk: "medium", place: "host", effects: "unsafe", source: "app" } as const;
  if (!isStandardSchema(input)) return { ...defaults, ...definition, input: input ?? object({}) };
  return {
    ...defaults,
    ...definition,
    input: toJsonSchema(input, definition.name),
    parse: (value: JsonObject) => parseStandard(input, value),
  };
}
