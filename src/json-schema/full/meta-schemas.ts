import type { Json, JsonObject } from "../../core/json.ts";
import type { Dialect } from "../shared/types.ts";

/** The addresses of the schemas of schemas. */
export const META_ADDRESSES: Readonly<Record<Dialect, string>> = {
  "draft-07": "http://json-schema.org/draft-07/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
};

/** How a schema of schemas names itself, as those that extend it redefine it. */
const ITSELF: Readonly<Record<Dialect, JsonObject>> = {
  "draft-07": { $ref: "#" },
  "2019-09": { $recursiveRef: "#" },
  "2020-12": { $dynamicRef: "#meta" },
};
const ANCHORS: Readonly<Record<Dialect, JsonObject>> = {
  "draft-07": {},
  "2019-09": { $recursiveAnchor: true },
  "2020-12": { $dynamicAnchor: "meta" },
};

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
const TEXT: JsonObject = { type: "string" };
const FLAG: JsonObject = { type: "boolean" };
const NUMBER: JsonObject = { type: "number" };
const COUNT: JsonObject = { type: "integer", minimum: 0 };
const LIST: JsonObject = { type: "array" };
const NAMES: JsonObject = { type: "array", items: TEXT, uniqueItems: true };
const ANCHOR: JsonObject = { type: "string", pattern: "^[A-Za-z_][-A-Za-z0-9._]*$" };
const ID: JsonObject = { type: "string", pattern: "^[^#]*#?$" };

/** Returns the schema that every schema of an edition fits: the published one, in one document. */
export function metaSchemaOf(dialect: Dialect): JsonObject {
  const schema = ITSELF[dialect];
  const schemas: JsonObject = { type: "array", minItems: 1, items: schema };
  const map: JsonObject = { type: "object", additionalProperties: schema };
  const isOld = dialect === "draft-07";
  return {
    $schema: META_ADDRESSES[dialect],
    $id: META_ADDRESSES[dialect],
    ...ANCHORS[dialect],
    type: ["object", "boolean"],
    properties: {
      ...withForm(TEXT, "$ref $comment title description format pattern contentEncoding contentMediaType"),
      ...withForm(NUMBER, "maximum exclusiveMaximum minimum exclusiveMinimum"),
      ...withForm(COUNT, "maxLength minLength maxItems minItems maxProperties minProperties"),
      ...withForm(FLAG, "uniqueItems readOnly writeOnly"),
      ...withForm(LIST, "enum examples"),
      ...withForm(schemas, "allOf anyOf oneOf"),
      ...withForm(map, "properties patternProperties definitions $defs"),
      ...withForm(schema, "not if then else contains additionalProperties propertyNames"),
      multipleOf: { type: "number", exclusiveMinimum: 0 },
      required: NAMES,
      type: {
        anyOf: [{ enum: TYPES }, { type: "array", items: { enum: TYPES }, minItems: 1, uniqueItems: true }],
      },
      dependencies: { type: "object", additionalProperties: { anyOf: [schema, NAMES] } },
      ...(isOld ? { $id: TEXT } : newer(schema, map)),
      ...(dialect === "2020-12"
        ? { items: schema, prefixItems: schemas, $dynamicRef: TEXT, $dynamicAnchor: ANCHOR }
        : { items: { anyOf: [schema, schemas] }, additionalItems: schema }),
      ...(dialect === "2019-09" ? { $recursiveRef: TEXT, $recursiveAnchor: FLAG } : {}),
    },
  };
}

/** Returns the keywords that came after draft 7. */
function newer(schema: JsonObject, map: JsonObject): JsonObject {
  return {
    $id: ID,
    $anchor: ANCHOR,
    $vocabulary: { type: "object", additionalProperties: FLAG },
    ...withForm(schema, "unevaluatedItems unevaluatedProperties contentSchema"),
    ...withForm(COUNT, "minContains maxContains"),
    deprecated: FLAG,
    dependentSchemas: map,
    dependentRequired: { type: "object", additionalProperties: NAMES },
  };
}

function withForm(form: Json, keywords: string): JsonObject {
  return Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, form]));
}
