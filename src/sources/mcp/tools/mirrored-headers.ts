import { isObject, type Json, type JsonObject } from "../../../core/json.ts";

const KEY = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVE: ReadonlySet<Json | undefined> = new Set(["string", "integer", "boolean"]);
/** Keywords that hold schemas by name, and those that hold one schema or a list: parameters inside them cannot be headers. */
const NAMED = ["patternProperties", "dependentSchemas", "$defs", "definitions"];
const NESTED = [
  "items",
  "prefixItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
];

/**
 * Returns what is wrong with the parameters that a tool marks as headers, or undefined. The protocol requires clients to reject such a
 * tool: a proxy could otherwise judge a call by headers that differ from its parameters.
 */
export function problemWithHeaders(schema: JsonObject): string | undefined {
  const taken = new Set<string>();
  return firstProblem(schema, [], true);

  function firstProblem(
    node: Json | undefined,
    path: readonly string[],
    isParameter: boolean,
  ): string | undefined {
    if (!isObject(node)) return undefined;
    const own = Object.hasOwn(node, KEY) ? problemOf(node, isParameter && path.length > 0) : undefined;
    if (own !== undefined)
      return `its parameter ${path.join(".") || "list"} cannot be sent as a header: ${own}`;
    const parameters = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
    return firstOf([
      ...parameters.map(
        ([name, child]) =>
          () =>
            firstProblem(child, [...path, name], isParameter),
      ),
      ...elsewhere(node).map((child) => () => firstProblem(child, path, false)),
    ]);
  }

  function problemOf(node: JsonObject, isParameter: boolean): string | undefined {
    const { [KEY]: header, type } = node;
    if (!isParameter) return "only top-level and nested properties can be headers";
    if (typeof header !== "string" || !TOKEN.test(header))
      return `${JSON.stringify(header)} is not a valid header name`;
    if (!PRIMITIVE.has(type)) return "only a string, an integer or a boolean can be a header";
    if (taken.has(header.toLowerCase())) return `${JSON.stringify(header)} is used twice`;
    taken.add(header.toLowerCase());
    return undefined;
  }
}

function elsewhere(node: JsonObject): readonly Json[] {
  const named = NAMED.flatMap((key) => (isObject(node[key]) ? Object.values(node[key]) : []));
  const nested = NESTED.flatMap((key) => {
    const value = node[key];
    return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
  });
  return [...named, ...nested];
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const problem = look();
    if (problem !== undefined) return problem;
  }
  return undefined;
}
