import type { ToolContext } from "../../core/context.ts";
import type { Reply } from "../../core/content.ts";
import type { JsonObject, Json, JsonSchema } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";
import { checkDefinition } from "./check-definition.ts";
import { object, type Infer, type InferGiven } from "./schema.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Tool, ToolOutput, Parsed } from "../../core/tool.ts";
import type { Problem } from "../../core/result.ts";
import { ToolError } from "../../core/errors.ts";

/** The builder's schema, a Standard Schema library's, or plain JSON Schema. */
export type InputSchema = JsonObject | StandardSchema;

/** The input type of `run` for a schema; any object if the schema is only known at run time. */
export type InputOf<S> =
  S extends StandardSchema<infer _Input, infer Output>
    ? ToJson<Output>
    : [Infer<S>] extends [never]
      ? FromJsonSchema<S>
      : unknown extends Infer<S>
        ? JsonObject
        : Infer<S>;

/** The type of a value after it has become JSON, as the output of a schema library's transform does. */
type ToJson<T> = 0 extends 1 & T
  ? T
  : unknown extends T
    ? T
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends { toJSON(): infer J }
        ? ToJson<J>
        : T extends bigint | symbol | Function | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? never
          : { [K in keyof T]: ToJson<T[K]> };

/** The builder's schema, a Standard Schema library's, or plain JSON Schema. */
export type OutputSchema = JsonSchema | StandardSchema;

/** The type of the data that `output` describes; unknown if the schema is only known at run time. */
export type OutputOf<O> =
  O extends StandardSchema<infer _Input, infer Output>
    ? ToJson<Output>
    : O extends boolean
      ? unknown
      : [Infer<O>] extends [never]
        ? FromJsonSchema<O>
        : Infer<O>;

/** The type of the input that a caller gives, before defaults are filled in and transforms have run. */
type GivenOf<S> =
  S extends StandardSchema<infer Input, infer _Output>
    ? Input
    : [InferGiven<S>] extends [never]
      ? InputOf<S>
      : unknown extends InferGiven<S>
        ? JsonObject
        : InferGiven<S>;

/** What `run` may return if its data has this type. */
type Returned<Data> = unknown extends Data
  ? ToolOutput
  : Data | Reply | AsyncIterable<unknown> | Promise<Data | Reply>;

type OptionalSpec = Partial<Omit<ToolSpec, "name" | "description" | "input" | "output">>;
type Behaviour<Input> = Omit<Tool<Input>, keyof ToolSpec | "run" | "parse" | "types">;

/** The definition of a tool. Defaults: risk medium, place host, effects unsafe. */
export interface ToolDefinition<S extends InputSchema, O extends OutputSchema = JsonSchema>
  extends OptionalSpec, Behaviour<InputOf<S>> {
  readonly name: string;
  readonly description: string;
  /** Default: no parameters. */
  readonly input?: S;
  /** The schema of the answer's data, which is validated against it. */
  readonly output?: O;
  run(input: InputOf<S>, context: ToolContext): Returned<OutputOf<O>>;
}

/** A definition without `output`: `run` may return anything that has a JSON form. */
type UntypedDefinition<S extends InputSchema> = Omit<ToolDefinition<S>, "output" | "run"> & {
  readonly output?: undefined;
  run(input: InputOf<S>, context: ToolContext): ToolOutput;
};

/** Creates a tool from its definition; the schema gives the input type of `run`. Throws `INVALID_INPUT` for a tool that could not run. */
export function defineTool<const S extends InputSchema = JsonObject>(
  definition: UntypedDefinition<S>,
): Tool<InputOf<S>, unknown, GivenOf<S>>;
export function defineTool<
  const S extends InputSchema = JsonObject,
  const O extends OutputSchema = JsonSchema,
>(definition: ToolDefinition<S, O>): Tool<InputOf<S>, OutputOf<O>, GivenOf<S>>;
export function defineTool<
  const S extends InputSchema = JsonObject,
  const O extends OutputSchema = JsonSchema,
>(definition: ToolDefinition<S, O>): Tool<InputOf<S>, OutputOf<O>, GivenOf<S>> {
  const { input, output: given, ...rest } = definition;
  const defaults = { risk: "medium", place: "host", effects: "unsafe", source: "app" } as const;
  const output: JsonSchema | undefined = isStandardSchema(given)
    ? toJsonSchema(given, definition.name, "output")
    : given;
  const common = { ...defaults, ...rest, ...defined({ output }) };
  const tool: Tool<InputOf<S>, OutputOf<O>, GivenOf<S>> = isStandardSchema(input)
    ? {
        ...common,
        input: toJsonSchema(input, definition.name, "input"),
        parse: (value: JsonObject) => parseStandard(input, value),
      }
    : { ...common, input: input ?? object({}) };
  checkDefinition(tool as Tool);
  return tool;
}

/** The type of the values that a literal JSON Schema accepts; `Json` if unknown. */
type FromJsonSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer U)[] }
      ? FromJsonSchema<U>
      : S extends { readonly type: infer T }
        ? FromType<T, S>
        : Json;

type FromType<T, S> = T extends "string"
  ? string
  : T extends "integer" | "number"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? FromList<S>
          : T extends "object"
            ? FromObject<S>
            : T extends readonly (infer Each)[]
              ? FromType<Each, S>
              : Json;

type FromList<S> = S extends { readonly items: infer I } ? readonly FromJsonSchema<I>[] : readonly Json[];

type FromObject<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P as IsPresent<P[K], K, S> extends true ? K : never]: FromJsonSchema<P[K]> } & {
      readonly [K in keyof P as IsPresent<P[K], K, S> extends true ? never : K]?: FromJsonSchema<P[K]>;
    }
  : JsonObject;

/** Present after validation: required, or filled from its default. */
type IsPresent<Property, K, S> = Property extends { readonly default: unknown }
  ? true
  : S extends { readonly required: readonly (infer R)[] }
    ? K extends R
      ? true
      : false
    : false;

/** The part of the Standard Schema interface that is used; Zod 4, Valibot, ArkType and others implement it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Readonly<Record<string, unknown>>;
      readonly output: (options: { readonly target: string }) => Readonly<Record<string, unknown>>;
    };
  };
}

export type StandardOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function isStandardSchema(value: unknown): value is StandardSchema {
  const kind = typeof value;
  return (kind === "object" || kind === "function") && value !== null && "~standard" in (value as object);
}

/** Returns the JSON Schema of a library's input; throws, with what to add, if it has none. */
function toJsonSchema(schema: StandardSchema, toolName: string, side: "input" | "output"): JsonObject {
  const { jsonSchema, vendor } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new ToolError("INVALID_INPUT", `tool "${toolName}": its ${vendor} schema has no JSON Schema`, {
      hint:
        vendor === "valibot"
          ? 'wrap it: toStandardJsonSchema(schema) from "@valibot/to-json-schema"'
          : vendor === "zod"
            ? 'use Zod 4: import { z } from "zod"'
            : "use a version of the library that implements Standard JSON Schema, or pass plain JSON Schema",
    });
  }
  try {
    return jsonSchema[side]({ target: "draft-2020-12" }) as JsonObject;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      "INVALID_INPUT",
      `tool "${toolName}": its ${vendor} schema has no JSON Schema: ${why}`,
      { hint: "use a type that JSON has, such as z.iso.datetime() in place of z.date()", cause },
    );
  }
}

/** Runs the library's own validation, with its refinements and transforms. */
function parseStandard(schema: StandardSchema, input: JsonObject): Parsed | Promise<Parsed> {
  const outcome = schema["~standard"].validate(input);
  return outcome instanceof Promise ? outcome.then(toParsed) : toParsed(outcome);
}

function toParsed(outcome: StandardOutcome<unknown>): Parsed {
  if (outcome.issues === undefined) return { value: outcome.value };
  return { problems: outcome.issues.map(toProblem) };
}

function toProblem(issue: StandardIssue): Problem {
  const keys = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  const path = keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { kind: "value", path, expected: issue.message, got: "a value that was refused" };
}
