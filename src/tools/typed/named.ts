import type { Json, JsonSchema } from "../../core/json.ts";
import type { ToolRef } from "../../core/tool.ts";
import {
  list,
  object,
  oneOf,
  type Fields,
  type Infer,
  type InferGiven,
  type Schema,
} from "../../schema/define/schema.ts";

/** A built-in tool by name, with the types of its input and data, for `engine.call`. */
export interface BuiltInTool<Data, Given> extends ToolRef<Data, Given> {
  /** The schema of `data`. It is not part of the tool: models and MCP clients are not shown it. */
  readonly data: JsonSchema;
}

type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;

/** The type of an object with these fields. */
type ObjectOf<F extends Fields> = Infer<ReturnType<typeof object<F>>>;

/** Names a tool with the fields of its data; the type parameter is the schema of its input. */
export const named =
  <Input>() =>
  <F extends Fields>(name: string, fields: F): BuiltInTool<ObjectOf<F>, Flat<InferGiven<Input>>> => ({
    name,
    data: object(fields),
  });

/** Names a tool with the schema of its data. */
export const namedAs =
  <Input>() =>
  <Data>(name: string, data: Schema<Data>): BuiltInTool<Data, Flat<InferGiven<Input>>> => ({ name, data });

/** A list of objects with these fields. */
export function rows<F extends Fields>(fields: F): Schema<readonly ObjectOf<F>[]> {
  return list(object(fields));
}

const NULL: Schema<null> = { type: "null" };

export const ANY: Schema<Json> = {};

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return oneOf([schema, NULL]);
}
