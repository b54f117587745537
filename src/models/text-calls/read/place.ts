import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { ToolTable } from "./tool-table.ts";
import { accepts, itemSchema, propertySchema } from "../values/typed-text.ts";
import { words } from "../scan/scan.ts";
import type { Place } from "../values/guided-text.ts";
import { matchKey } from "../values/match-key.ts";

const NAME_KEYS = words("name tool_name function_name tool");
const INPUT_KEYS = words("arguments parameters args input tool_input params");
const OTHER_KEYS = words("id tool_call_id call_id type index");

const ANY: Place = {
  keyOf: (written) => written,
  member: () => ANY,
  get item(): Place {
    return ANY;
  },
  mayBeText: true,
  keys: undefined,
  fits: () => true,
};

/** A value with a schema. */
export function placeOf(schema: JsonObject | undefined): Place {
  if (schema === undefined) return ANY;
  const { properties, additionalProperties } = schema;
  const isClosed = isObject(properties) && additionalProperties !== true && !isObject(additionalProperties);
  return {
    keyOf: (written) => (isClosed ? matchKey(written, Object.keys(properties)) : written),
    member: (key) => placeOf(propertySchema(schema, key)),
    get item(): Place {
      return placeOf(itemSchema(schema));
    },
    mayBeText: accepts(schema, "string") !== false,
    keys: isClosed ? Object.keys(properties) : undefined,
    fits: (value) => fits(value, schema),
  };
}

/** A call, or a list of calls, written as JSON. */
export function callPlace(tools: ToolTable, isByName = false): Place {
  const place: Place = {
    keyOf: (written) => {
      if (isByName) return tools.knows(written) ? written : undefined;
      return NAME_KEYS.has(written) || INPUT_KEYS.has(written) || OTHER_KEYS.has(written)
        ? written
        : undefined;
    },
    member: (key, before) => {
      if (isByName) return placeOf(tools.schemaOf(key));
      if (!INPUT_KEYS.has(key)) return TEXT;
      const name = Object.entries(before).find(([other]) => NAME_KEYS.has(other))?.[1];
      const schema = typeof name === "string" ? tools.schemaOf(tools.closestTo(name)) : undefined;
      return schema === undefined ? undefined : placeOf(schema);
    },
    get item(): Place {
      return place;
    },
    mayBeText: false,
    keys: [],
    // An input was compared with its schema where it was read.
    fits: (value) =>
      Array.isArray(value) ||
      (isObject(value) && Object.keys(value).some((key) => isByName || INPUT_KEYS.has(key))),
  };
  return place;
}

/** A name or an id: with quotes or brackets in it, it has other members or calls in it. */
const TEXT: Place = {
  ...ANY,
  item: undefined,
  fits: (value) => typeof value !== "string" || !/["{}[\]]/.test(value),
};

const MAX_DEPTH = 16;

/** Returns whether a value has the types, keys and choices that a schema names. What it does not know, it accepts: the engine validates. */
function fits(value: Json, schema: JsonObject | undefined, depth = 0): boolean {
  if (schema === undefined || depth > MAX_DEPTH) return true;
  if (!hasType(value, schema)) return false;
  if (typeof value !== "object") return isChoice(value, schema);
  const { required, properties, additionalProperties } = schema;
  if (Array.isArray(value)) return value.every((item) => fits(item, itemSchema(schema), depth + 1));
  if (!isObject(value)) return true;
  const isMissing = (key: Json): boolean => typeof key === "string" && !Object.hasOwn(value, key);
  if (Array.isArray(required) && (required as readonly Json[]).some(isMissing)) return false;
  const isOpen = !isObject(properties) || additionalProperties === true || isObject(additionalProperties);
  return Object.entries(value).every(
    ([key, inner]) =>
      (isOpen || Object.hasOwn(properties, key)) && fits(inner, propertySchema(schema, key), depth + 1),
  );
}

/** Returns whether a value is among those that a schema lists. */
function isChoice(value: string | number | boolean, { enum: choices, const: only }: JsonObject): boolean {
  const isSame = (choice: Json): boolean =>
    typeof choice === "object" || choice === value || JSON.stringify(choice) === String(value);
  if (only !== undefined && !isSame(only)) return false;
  return !Array.isArray(choices) || (choices as readonly Json[]).some(isSame);
}

/** The engine converts texts to numbers and booleans. */
function hasType(value: Json, schema: JsonObject): boolean {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (accepts(schema, type) !== false) return true;
  if (type === "number") return accepts(schema, "integer") === true && Number.isInteger(value);
  if (typeof value !== "string") return false;
  const isNumber = value.trim() !== "" && Number.isFinite(Number(value));
  const mayBeNumber = accepts(schema, "number") === true || accepts(schema, "integer") === true;
  return (
    (isNumber && mayBeNumber) || (/^(?:true|false)$/i.test(value) && accepts(schema, "boolean") === true)
  );
}
