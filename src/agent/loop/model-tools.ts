import { isObject, type JsonObject } from "../../core/json.ts";
import type { ModelFormat, ModelTool } from "../../core/agent/model.ts";
import { starPattern } from "../../util/text/name-pattern.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Engine } from "../../engine/types/engine.ts";

export interface ToolsOf {
  readonly session: string;
  /** Only tools within these are returned, as no other would run. */
  readonly ceilings?: readonly Ceiling[];
}

/** Returns the tools that a session can use now, in a model's format. Never cached: active tools can change at any time. */
export function modelTools(
  engine: Engine,
  format: ModelFormat,
  { session, ceilings = [] }: ToolsOf,
): readonly ModelTool[] {
  const names = engine.list({ session }).map(({ name }) => name);
  const patterns = ceilings.flatMap(({ tools }) => (tools === undefined ? [] : [tools.map(starPattern)]));
  const mayRun = (name: string): boolean => patterns.every((some) => some.some((matches) => matches(name)));
  return engine
    .specs(format, { session })
    .flatMap((shape, index) => (mayRun(names[index] ?? "") ? [toModelTool(shape, format)] : []));
}

/** The key of the parameter schema in each format. */
const SCHEMA_KEYS: Readonly<Record<ModelFormat, string>> = {
  openai: "parameters",
  "openai-responses": "parameters",
  anthropic: "input_schema",
  google: "parameters",
};

const NO_PARAMETERS: JsonObject = { type: "object", properties: {} };

function toModelTool(shape: JsonObject, format: ModelFormat): ModelTool {
  const own = isObject(shape["function"]) ? shape["function"] : shape;
  const schema = own[SCHEMA_KEYS[format]];
  return {
    name: textOf(own, "name"),
    description: textOf(own, "description"),
    input: isObject(schema) ? schema : NO_PARAMETERS,
  };
}

function textOf(shape: JsonObject, key: string): string {
  const value = shape[key];
  return typeof value === "string" ? value : "";
}
