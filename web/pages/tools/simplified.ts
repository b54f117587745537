import { isObject, type JsonObject } from "../../api/json.ts";

/** Returns a schema that makes a simpler form: a value that may be null is just not given, and alternatives are named. */
export function simplified(schema: JsonObject): JsonObject {
  const { properties } = schema;
  const inner = Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [
      name,
      isObject(property) ? simplified(property) : property,
    ]),
  );
  const deeper = isObject(properties) ? { ...schema, properties: inner } : schema;
  return withoutNull(deeper);
}

function withoutNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter(isObject).filter(({ type }) => type !== "null");
  const [only] = others;
  if (others.length === 1 && only !== undefined) return { ...simplified(only), ...rest };
  return { ...rest, anyOf: others.map((one) => ({ title: nameOf(one), ...simplified(one) })) };
}

function nameOf({ type, enum: values }: JsonObject): string {
  if (Array.isArray(values)) return values.map(String).join(", ");
  return typeof type === "string" ? type : "value";
}
