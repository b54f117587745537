import { hash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { SourceProblem } from "../../../core/source.ts";
import type { Definition, HashedDefinition, PinChange } from "../types/source-types.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { toolNameOf } from "./names.ts";

export interface ReadDefinitions {
  readonly definitions: readonly HashedDefinition[];
  readonly problems: readonly SourceProblem[];
}

/** The name under which the instructions of a server are pinned. No tool has it: a tool without a name is refused. */
export const INSTRUCTIONS = "";

/** Returns the name of what has changed, for people: of a tool, or that of the instructions, which no tool can have. */
export function pinName({ tool }: Pick<PinChange, "tool">): string {
  return tool === INSTRUCTIONS ? "(instructions)" : tool;
}

/** Returns the instructions of a server in the form in which tools are pinned; empty if it has none. */
export function instructionsOf(text = ""): HashedDefinition {
  const definition = { name: INSTRUCTIONS, description: text, input: {} };
  return { definition, hash: hash("sha256", JSON.stringify(["instructions", text])) };
}

/** A longer definition is refused: it would be stored, hashed, compiled and sent to models. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Reads the tools that a server lists, each separately: an unusable one does not affect the others. Never throws. `hasHeaders` is set
 * if parameters may be sent as headers, as over HTTP since 2026-07-28.
 */
export function readDefinitions(
  server: string,
  listed: readonly unknown[],
  hasHeaders = false,
): ReadDefinitions {
  const definitions: HashedDefinition[] = [];
  const problems: SourceProblem[] = [];
  const names = new Set<string>();
  for (const [index, one] of listed.entries()) {
    const { name, ...rest } = isObject(one) ? one : {};
    const subject = typeof name === "string" ? toolNameOf(server, name) : `tool ${index + 1} of ${server}`;
    const refuse = (reason: SourceProblem["reason"], message: string): void =>
      void problems.push({ source: `mcp:${server}`, subject, reason, message });
    if (typeof name !== "string" || name === "") refuse("bad_name", "it has no name");
    else if (names.has(name)) refuse("name_taken", `the server lists "${name}" twice`);
    else {
      names.add(name);
      const read = readOne(name, rest);
      const problem =
        typeof read === "string" ? read : hasHeaders && problemWithHeaders(read.definition.input);
      if (typeof read === "object" && typeof problem !== "string") definitions.push(read);
      else refuse("bad_schema", String(problem));
    }
  }
  return { definitions, problems };
}

function readOne(name: string, listed: JsonObject): HashedDefinition | string {
  const { description, inputSchema = {}, outputSchema, annotations, execution } = listed;
  const task =
    isObject(execution) && execution["taskSupport"] === "required" ? { needsTask: true as const } : {};
  const text = canonicalText([
    name,
    description ?? "",
    inputSchema,
    outputSchema ?? null,
    annotations ?? null,
    ...Object.keys(task),
  ]);
  if (text === undefined) return "its definition is nested too deeply";
  if (text.length > MAX_CHARACTERS) return "its definition is over 1 MB";
  if (!isObject(inputSchema)) return "its input schema is not an object";
  const { type = "object" } = inputSchema;
  if (type !== "object") return `its input schema is of type ${JSON.stringify(type)}, not object`;
  const definition: Definition = {
    name,
    description: typeof description === "string" ? description : "",
    input: inputSchema["type"] === type ? inputSchema : { type, ...inputSchema },
    // Some servers send null or an empty list for "none".
    ...(isObject(outputSchema) && { output: outputSchema }),
    ...(isObject(annotations) && { annotations }),
    ...extraOf(listed),
    ...task,
  };
  return { definition, hash: hash("sha256", text) };
}

function extraOf({ title, icons, _meta: meta }: JsonObject): Pick<Definition, "extra"> {
  const extra: JsonObject = {
    ...(typeof title === "string" && { title }),
    ...(Array.isArray(icons) && { icons }),
    ...(isObject(meta) && { _meta: meta }),
  };
  const isStored =
    Object.keys(extra).length > 0 && (canonicalText(extra)?.length ?? Infinity) <= MAX_CHARACTERS;
  return isStored ? { extra } : {};
}

/** Returns the JSON of a value with sorted keys; undefined if it is nested too deeply. */
function canonicalText(value: Json): string | undefined {
  return attempt(() =>
    JSON.stringify(value, (_key, part: Json) => (isObject(part) ? withSortedKeys(part) : part)),
  );
}

function withSortedKeys(given: JsonObject): JsonObject {
  const keys = Object.keys(given);
  if (keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key)) return given;
  // Without a prototype: a key can be `__proto__`.
  const sorted = Object.create(null) as Record<string, Json>;
  for (const key of keys.toSorted()) sorted[key] = given[key] as Json;
  return sorted;
}

const KEY = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVE: ReadonlySet<Json | undefined> = new Set(["string", "integer", "boolean"]);
/** Keywords that hold schemas by name, and those that hold one schema or a list: parameters inside them cannot be headers. */
const NAMED = ["patternProperties", "dependentSchemas", "$defs", "definitions"];
const NESTED = (
  "items prefixItems contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames oneOf anyOf " +
  "allOf not if then else"
).split(" ");

/**
 * Returns what is wrong with the parameters that a tool marks as headers, or undefined. The protocol requires clients to reject such a
 * tool: a proxy could otherwise judge a call by headers that differ from its parameters.
 */
function problemWithHeaders(schema: JsonObject): string | undefined {
  const [first] = headerProblems(schema, [], { isParameter: true }, new Set());
  return first;
}

function* headerProblems(
  node: Json | undefined,
  path: readonly string[],
  { isParameter }: { readonly isParameter: boolean },
  taken: Set<string>,
): Iterable<string> {
  if (!isObject(node)) return;
  const own = Object.hasOwn(node, KEY) ? problemOf(node, isParameter && path.length > 0, taken) : undefined;
  if (own !== undefined) yield `its parameter ${path.join(".") || "list"} cannot be sent as a header: ${own}`;
  const parameters = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  for (const [name, child] of parameters)
    yield* headerProblems(child, [...path, name], { isParameter }, taken);
  for (const child of elsewhere(node)) yield* headerProblems(child, path, { isParameter: false }, taken);
}

function problemOf(node: JsonObject, isParameter: boolean, taken: Set<string>): string | undefined {
  const { [KEY]: header, type } = node;
  if (!isParameter) return "only top-level and nested properties can be headers";
  if (typeof header !== "string" || !TOKEN.test(header))
    return `${JSON.stringify(header)} is not a valid header name`;
  if (!PRIMITIVE.has(type)) return "only a string, an integer or a boolean can be a header";
  if (taken.has(header.toLowerCase())) return `${JSON.stringify(header)} is used twice`;
  taken.add(header.toLowerCase());
  return undefined;
}

function elsewhere(node: JsonObject): readonly Json[] {
  const named = NAMED.flatMap((key) => (isObject(node[key]) ? Object.values(node[key]) : []));
  const nested = NESTED.flatMap((key) => {
    const value = node[key];
    return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
  });
  return [...named, ...nested];
}
