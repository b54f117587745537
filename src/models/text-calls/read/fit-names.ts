import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { setOwn } from "../../../util/json/set-own.ts";
import type { ToolTable } from "./tool-table.ts";
import { itemSchema, propertySchema } from "../values/typed-text.ts";
import { matchKey } from "../values/match-key.ts";

/** Returns a call under the names of the tool and its parameters, if what was written differs from one of them in case, white space, `_` and `-` alone. */
export function fitNames<Call extends NamedCall>(call: Call, tools: ToolTable): Call {
  const plain = tools.nameOf(call.name);
  const name = tools.closestTo(call.name);
  const repairs: string[] = name === plain ? [] : [`"${plain}" for "${name}"`];
  const input = fitKeys(call.input, tools.schemaOf(name), repairs);
  if (repairs.length === 0) return name === call.name ? call : { ...call, name };
  const repair = [...(call.repair === undefined ? [] : [call.repair]), ...repairs].join(", ");
  return { ...call, name, input, repaired: true, repair };
}

interface NamedCall {
  readonly name: string;
  readonly input: Json;
  readonly repaired?: true;
  readonly repair?: string;
}

const MAX_DEPTH = 16;

function fitKeys(value: Json, schema: JsonObject | undefined, repairs: string[], depth = 0): Json {
  if (schema === undefined || depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
  const before = repairs.length;
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) =>
      fitKeys(item, itemSchema(schema), repairs, depth + 1),
    );
    return repairs.length === before ? value : items;
  }
  const fitted: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value as JsonObject)) {
    const key = keyFor(name, value as JsonObject, schema);
    if (key !== name) repairs.push(`"${name}" for "${key}"`);
    setOwn(fitted, key, fitKeys(inner, propertySchema(schema, key), repairs, depth + 1));
  }
  // Two keys that mean one parameter: either may be meant.
  if (Object.keys(fitted).length < Object.keys(value).length) repairs.length = before;
  return repairs.length === before ? value : fitted;
}

function keyFor(written: string, value: JsonObject, schema: JsonObject): string {
  const { properties, additionalProperties, patternProperties } = schema;
  const isOpen =
    additionalProperties === true || isObject(additionalProperties) || patternProperties !== undefined;
  if (!isObject(properties) || isOpen || Object.hasOwn(properties, written)) return written;
  const key = matchKey(written, Object.keys(properties));
  return key === undefined || Object.hasOwn(value, key) ? written : key;
}
