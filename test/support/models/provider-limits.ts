// The documented limits of each provider, written independently of the code that respects them.
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ProviderFormat } from "../../../src/formats/provider-shapes.ts";

type Node = Readonly<Record<string, unknown>>;
type Checker = (tool: JsonObject) => readonly string[];

/** Returns the limits of its provider that a tool exceeds; none if it is accepted. */
export function brokenLimits(tool: JsonObject, format: ProviderFormat): readonly string[] {
  return CHECKERS[format](tool);
}

const CHECKERS: Readonly<Record<ProviderFormat, Checker>> = {
  openai: ({ type, function: declared, ...rest }) => {
    const { name, description, parameters, strict, ...unknown } = declared as Node;
    const wrapped = type === "function" && Object.keys(rest).length + Object.keys(unknown).length === 0;
    return [...says(wrapped, "wrapper"), ...openAi(name, description, parameters, strict)];
  },
  "openai-responses": ({ type, name, description, parameters, strict, ...unknown }) => [
    ...says(type === "function" && Object.keys(unknown).length === 0, "wrapper"),
    ...says(typeof strict === "boolean", "strict is not said"),
    ...openAi(name, description, parameters, strict),
  ],
  anthropic: ({ name, description, input_schema: schema, ...unknown }) => [
    ...says(Object.keys(unknown).length === 0, "unknown field"),
    ...says(matches(name, /^[a-zA-Z0-9_-]{1,64}$/), `name ${JSON.stringify(name)}`),
    ...says(description === undefined || typeof description === "string", "description"),
    ...fullSchema(schema as Node),
    ...Object.keys((schema as Node)["properties"] as object).flatMap((key) =>
      says(/^[a-zA-Z0-9_.-]{1,64}$/.test(key), `property key ${key}`),
    ),
  ],
  google: ({ name, description, parameters, ...unknown }) => [
    ...says(Object.keys(unknown).length === 0, "unknown field"),
    ...says(matches(name, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/), `name ${JSON.stringify(name)}`),
    ...says(typeof description === "string" && description !== "", "description"),
    ...(parameters === undefined ? [] : googleRoot(parameters as Node)),
  ],
  mcp: ({ name, description, inputSchema, outputSchema, annotations, ...unknown }) => [
    ...says(Object.keys(unknown).length === 0, "unknown field"),
    ...says(matches(name, /^[a-zA-Z0-9_.-]{1,128}$/), `name ${JSON.stringify(name)}`),
    ...says(description === undefined || typeof description === "string", "description"),
    ...says((inputSchema as Node)["type"] === "object", "inputSchema.type"),
    ...says(outputSchema === undefined || (outputSchema as Node)["type"] === "object", "outputSchema.type"),
    ...Object.values(annotations ?? {}).flatMap((hint) => says(typeof hint === "boolean", "hint")),
  ],
};

function openAi(
  name: unknown,
  description: unknown,
  parameters: unknown,
  strict: unknown,
): readonly string[] {
  const schema = parameters as Node;
  return [
    ...says(matches(name, /^[a-zA-Z0-9_-]{1,64}$/), `name ${JSON.stringify(name)}`),
    ...says(description === undefined || (description as string).length <= 1024, "description too long"),
    ...fullSchema(schema),
    ...(strict === true ? strictSchema(schema, 1, "") : []),
  ];
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const AT_TOP = ["anyOf", "oneOf", "allOf", "enum", "const", "not", "$ref", "$schema", "$id"];

function fullSchema(schema: Node): readonly string[] {
  return [
    ...says(schema["type"] === "object" && typeof schema["properties"] === "object", "top is no object"),
    ...AT_TOP.flatMap((keyword) => says(!(keyword in schema), `${keyword} at the top`)),
    ...says(ajv.validateSchema(schema) === true, `not draft 2020-12: ${ajv.errorsText()}`),
    ...everyNode(schema).flatMap((node) => [
      ...says(node["type"] !== "array" || node["items"] !== undefined, "list without items"),
      ...says(
        !/\(\?[=!<]|\\p/.test((node["pattern"] ?? "") as string),
        `pattern ${JSON.stringify(node["pattern"])}`,
      ),
      ...says(refResolves(schema, node["$ref"]), `ref ${JSON.stringify(node["$ref"])}`),
    ]),
  ];
}

function refResolves(schema: Node, ref: unknown): boolean {
  if (ref === undefined) return true;
  const name = /^#\/\$defs\/([\w-]+)$/.exec(ref as string)?.[1];
  return name !== undefined && Object.hasOwn(schema["$defs"] ?? {}, name);
}

function everyNode(schema: unknown): readonly Node[] {
  if (typeof schema !== "object" || schema === null) return [];
  const node = schema as Node;
  const one = ["items", "additionalProperties", "not", "contains", "if", "then", "else", "propertyNames"];
  const lists = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap(
    (key) => (node[key] ?? []) as readonly unknown[],
  );
  const maps = ["properties", "patternProperties", "$defs", "dependentSchemas"];
  const mapped = maps.flatMap((key) => Object.values(node[key] ?? {}) as readonly unknown[]);
  return [node, ...[...one.map((key) => node[key]), ...lists, ...mapped].flatMap(everyNode)];
}

const STRICT = new Set(
  "type description enum anyOf properties required additionalProperties items pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split(
    " ",
  ),
);
const STRICT_FORMATS = "date-time time date duration email hostname ipv4 ipv6 uuid".split(" ");

function strictSchema(node: Node, depth: number, path: string): readonly string[] {
  const { properties, items, anyOf, format } = node;
  const names = Object.keys(properties ?? {});
  const required = (node["required"] ?? []) as readonly string[];
  const isObject = [node["type"]].flat().includes("object");
  return [
    ...Object.keys(node).flatMap((keyword) => says(STRICT.has(keyword), `strict ${path}: ${keyword}`)),
    ...says(depth <= 11, "strict: too deep"),
    ...says(node["type"] !== undefined || anyOf !== undefined, `strict ${path}: no type`),
    ...says(
      format === undefined || STRICT_FORMATS.includes(format as string),
      `strict ${path}: ${JSON.stringify(format)}`,
    ),
    ...says(!isObject || node["additionalProperties"] === false, `strict ${path}: open object`),
    ...says(!isObject || names.every((name) => required.includes(name)), `strict ${path}: optional property`),
    ...names.flatMap((name) =>
      strictSchema((properties as Node)[name] as Node, depth + 1, `${path}/${name}`),
    ),
    ...(items === undefined ? [] : strictSchema(items as Node, depth + 1, `${path}[]`)),
    ...((anyOf ?? []) as readonly Node[]).flatMap((form) => strictSchema(form, depth + 1, `${path}|`)),
  ];
}

const GOOGLE = new Set(
  "type title description nullable enum format minItems maxItems properties required minProperties maxProperties minLength maxLength pattern anyOf items minimum maximum".split(
    " ",
  ),
);
const GOOGLE_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};
const GOOGLE_TYPES = new Set<unknown>(["string", "number", "integer", "boolean", "array", "object"]);

function googleRoot(parameters: Node): readonly string[] {
  const keys = Object.keys(parameters["properties"] ?? {});
  return [
    ...says(parameters["type"] === "object" && keys.length > 0, "top is no object with properties"),
    ...keys.flatMap((key) => says(/^[a-zA-Z_]\w{0,63}$/.test(key), `parameter name ${key}`)),
    ...googleSchema(parameters, 1),
  ];
}

function googleSchema(node: Node, depth: number): readonly string[] {
  const { type, anyOf, properties, items, format } = node;
  const names = Object.keys(properties ?? {});
  const values = node["enum"] as readonly unknown[] | undefined;
  const isContainer = anyOf !== undefined || type === "object" || type === "array";
  return [
    ...Object.keys(node).flatMap((keyword) => says(GOOGLE.has(keyword), `google: ${keyword}`)),
    ...says(anyOf === undefined || Object.keys(node).length === 1, "google: anyOf with company"),
    ...says(anyOf !== undefined || GOOGLE_TYPES.has(type), `google: type ${JSON.stringify(type)}`),
    ...says(!isContainer || depth <= 4, `google: ${depth} levels`),
    ...says(values === undefined || type === "string", "google: enum of another type"),
    ...says(
      values?.every((value) => typeof value === "string" && value !== "") ?? true,
      "google: enum value",
    ),
    ...says(
      format === undefined || GOOGLE_FORMATS[type as string]?.includes(format as string) === true,
      "google: format",
    ),
    ...says(type !== "array" || items !== undefined, "google: list without items"),
    ...((node["required"] ?? []) as readonly string[]).flatMap((name) =>
      says(names.includes(name), "google: required"),
    ),
    ...names.flatMap((name) => googleSchema((properties as Node)[name] as Node, depth + 1)),
    ...(items === undefined ? [] : googleSchema(items as Node, depth + 1)),
    ...((anyOf ?? []) as readonly Node[]).flatMap((form) => googleSchema(form, depth + 1)),
  ];
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function says(holds: boolean, fault: string): readonly string[] {
  return holds ? [] : [fault];
}

/** The documented maximum of tools in a request: OpenAI's parameter `tools`, and Google's `functionDeclarations`. */
const MAX_TOOLS: Readonly<Record<string, number>> = { openai: 128, "openai-chat": 128, google: 128 };

/** Returns the names of the tools in the body of a request, in any provider's format. */
export function namesOfTools({ tools = [] }: Readonly<Record<string, unknown>>): readonly string[] {
  return (tools as readonly Node[]).flatMap(({ name, function: declared, functionDeclarations }) => {
    const list = (functionDeclarations ?? [declared ?? { name }]) as readonly Node[];
    return list.map((one) => String(one["name"]));
  });
}

/** Returns the reason why a provider rejects a request with this body; undefined if it accepts the number of tools. */
export function tooManyTools(body: Readonly<Record<string, unknown>>, provider: string): string | undefined {
  const [count, most] = [namesOfTools(body).length, MAX_TOOLS[provider]];
  if (most === undefined || count <= most) return undefined;
  return `Invalid 'tools': array too long. Expected an array with maximum length ${most}, but got an array with length ${count} instead.`;
}
