import type { Arguments } from "./command.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Tool } from "../../../core/tool.ts";
import { setOwn } from "../../../util/json/set-own.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import { jsonFault } from "../../../util/json/json-fault.ts";
import { quoteWord } from "../../host/approvals/describe-fact.ts";

/** The input of a call, or why it could not be read. */
type ReadInput = { readonly input: Json } | { readonly unreadable: string };

const WORDS_HINT =
  "parameters are key=value, key:=json, the value alone if only one is required, or the whole input as --args JSON";

/**
 * Builds the input of a call from JSON text and `key=value` arguments, which override it. The tool's schema gives the type of a value;
 * `key:=json` is always JSON. The engine reports values that do not fit the schema; throws on an argument that is not a
 * parameter.
 */
export function readInput(
  tool: Tool | undefined,
  words: readonly string[],
  json: string | undefined,
): ReadInput {
  const base = json === undefined ? { input: {} } : parseJson(json, "--args");
  if ("unreadable" in base || words.length === 0) return base;
  if (!isObject(base.input))
    return { unreadable: "--args must be a JSON object when key=value is given too" };
  const seen = new Set<string>();
  const input = words.reduce((before, word) => withWord(before, word, { tool, words, seen }), base.input);
  return { input };
}

/** Parses JSON text; returns why if it is not JSON. */
export function parseJson(text: string, what: string): ReadInput {
  try {
    return { input: JSON.parse(text) as Json };
  } catch (error) {
    return { unreadable: `${what} is not valid JSON: ${jsonFault(error)}` };
  }
}

/** Returns the JSON object that a flag sets. Throws on anything else. */
export function parseObjectFlag(flags: Arguments["flags"], name: string): JsonObject {
  const parsed = parseJson(String(flags[name]), `--${name}`);
  if ("unreadable" in parsed) throw new ToolError("INVALID_INPUT", parsed.unreadable);
  if (isObject(parsed.input)) return parsed.input;
  throw new ToolError("INVALID_INPUT", `--${name} must be a JSON object`);
}

/** Returns the input with the parameter that one argument sets; `seen` has the parameters set so far. */
function withWord(
  input: JsonObject,
  typed: string,
  {
    tool,
    words,
    seen,
  }: { readonly tool: Tool | undefined; readonly words: readonly string[]; readonly seen: Set<string> },
): JsonObject {
  const only = isPair(typed) || typed.startsWith("=") ? undefined : onlyRequired(tool);
  if (only !== undefined && seen.has(only)) refuseSecond(only, typed, { tool, words });
  const word = only === undefined ? typed : `${only}=${typed}`;
  const border = word.indexOf("=");
  if (border <= 0) {
    // The engine answers that the tool is unknown, which is the mistake.
    if (tool === undefined) return input;
    throw notAPair(word, tool);
  }
  const isJson = word[border - 1] === ":" && border > 1;
  const key = word.slice(0, isJson ? border - 1 : border);
  const text = word.slice(border + 1);
  const { path, schema } = find(key, tool);
  if (schema === UNKNOWN) refuseValue(key, word, tool);
  const parsed = isJson ? parseJson(text, key) : { input: fromText(text, schema) };
  if ("unreadable" in parsed) throw refused(parsed.unreadable);
  const isRepeated = seen.has(key);
  seen.add(key);
  if (isRepeated && !typesOf(schema).has("array")) throw refused(`${key} is given twice`);
  const put = (before: Json | undefined): Json =>
    isRepeated && Array.isArray(before) ? [...before, ...[parsed.input].flat()] : parsed.input;
  return withValue(input, path, put) as JsonObject;
}

/** Throws for a second value of the only required parameter, unless it is a list. */
function refuseSecond(
  only: string,
  typed: string,
  { tool, words }: { readonly tool: Tool | undefined; readonly words: readonly string[] },
): void {
  if (typesOf(find(only, tool).schema).has("array")) return;
  const quoted = `quote the command: toolwright call ${tool?.name} ${quoteWord(words.join(" "))}`;
  throw refused(
    `unexpected argument ${JSON.stringify(typed)}: ${only} is already given; quote a value that has spaces`,
    only === "command" ? quoted : undefined,
  );
}

function refused(fault: string, hint = WORDS_HINT): ToolError {
  return new ToolError("INVALID_INPUT", fault, { hint });
}

/** Throws for an argument that begins like a pair, such as `CI=1 make`, and is probably the value of the only required parameter. */
function refuseValue(key: string, word: string, tool: Tool | undefined): void {
  const only = onlyRequired(tool);
  if (tool === undefined || only === undefined) return;
  const { properties, additionalProperties } = tool.input;
  if (additionalProperties !== false || !isObject(properties)) return;
  if (nearNames(key, Object.keys(properties)).length > 0) return;
  throw refused(`${key} is not a parameter of ${tool.name}; did you mean ${only}=${word}?`);
}

/** Characters that no name of a parameter has: a command or a path with `=` in it is a value. */
const NOT_IN_NAMES = /[\s/'"`<>|&;()]/;

function isPair(word: string): boolean {
  const border = word.indexOf("=");
  return border > 0 && !NOT_IN_NAMES.test(word.slice(0, border));
}

/** Returns the parameter that a bare value stands for: the only one that the tool requires. */
function onlyRequired(tool: Tool | undefined): string | undefined {
  const { required } = tool?.input ?? {};
  return Array.isArray(required) && required.length === 1 ? String(required[0]) : undefined;
}

function notAPair(word: string, tool: Tool | undefined): ToolError {
  const [first] = Array.isArray(tool?.input["required"]) ? tool.input["required"] : [];
  const meant = first === undefined ? "" : `; did you mean ${String(first)}=${word}?`;
  return refused(`${JSON.stringify(word)} is not key=value${meant}`);
}

/** Resolves a key: the name of a parameter, or else a path into one. */
function find(key: string, tool: Tool | undefined) {
  const input = tool?.input ?? {};
  const whole = propertyOf(input, realName(key, tool));
  if (whole !== undefined || !key.includes(".")) return { path: [key], schema: whole ?? UNKNOWN };
  const path = key.split(".");
  let schema: JsonObject | undefined = input;
  for (const [depth, part] of path.entries())
    schema = schema && propertyOf(schema, depth === 0 ? realName(part, tool) : part);
  return { path, schema: schema ?? UNKNOWN };
}

/** The value of an unknown parameter stays a text. */
const UNKNOWN: JsonObject = { type: "string" };

function realName(name: string, tool: Tool | undefined): string {
  const { parameterAliases = {}, aliases = [] } = tool ?? {};
  const renames = [
    parameterAliases,
    ...aliases.map((alias) => (typeof alias === "string" ? {} : alias.parameters)),
  ];
  const parameterNames = renames.find((names) => names !== undefined && Object.hasOwn(names, name));
  return propertyOf(tool?.input ?? {}, name) === undefined ? (parameterNames?.[name] ?? name) : name;
}

function propertyOf(
  { properties, items, additionalProperties }: JsonObject,
  name: string,
): JsonObject | undefined {
  if (isObject(properties) && Object.hasOwn(properties, name)) return asSchema(properties[name]);
  if (/^\d+$/.test(name) && isObject(items)) return items;
  return isObject(additionalProperties) ? additionalProperties : undefined;
}

function asSchema(schema: Json | undefined): JsonObject {
  return isObject(schema) ? schema : {};
}

/** Returns the text if the schema accepts texts; else its JSON value if it is JSON. */
function fromText(text: string, schema: JsonObject): Json {
  const types = typesOf(schema);
  if (types.has("string")) return text;
  const parsed = parseJson(text, "");
  const value = "input" in parsed ? parsed.input : text;
  if (!types.has("array") || Array.isArray(value)) return value;
  return [fromText(text, asSchema(schema["items"]))];
}

/** Returns the types that a schema names; none if it accepts anything. */
function typesOf(schema: JsonObject): ReadonlySet<string> {
  const { type, anyOf, oneOf, enum: words } = schema;
  const own = [type ?? []].flat().map(String);
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const inner = choices.flatMap((choice) => [...typesOf(asSchema(choice))]);
  const listed = Array.isArray(words) && words.every((word) => typeof word === "string") ? ["string"] : [];
  return new Set([...own, ...inner, ...listed]);
}

/** Returns a value with what `put` makes of its part at a path; creates objects and lists on the way. Throws if it cannot. */
function withValue(
  whole: Json | undefined,
  path: readonly string[],
  put: (before: Json | undefined) => Json,
  depth = 0,
): Json {
  const part = path[depth];
  if (part === undefined) return put(whole);
  const container = whole ?? (/^\d+$/.test(part) ? [] : {});
  const changed = (before: Json | undefined): Json => withValue(before, path, put, depth + 1);
  if (isObject(container)) {
    const copy = { ...container };
    setOwn(copy, part, changed(Object.hasOwn(container, part) ? container[part] : undefined));
    return copy;
  }
  if (!Array.isArray(container)) throw refused(`${path.slice(0, depth).join(".")} is not an object`);
  const items: readonly Json[] = container;
  const index = Number(part);
  // JSON has no gaps in lists, and the caller could choose their size.
  if (!Number.isInteger(index) || index < 0 || index > items.length)
    throw refused(`there is no item ${part} yet`);
  return items.toSpliced(index, 1, changed(items[index]));
}

/** Returns what to write instead of a flag that is meant for the tool: a parameter, or a part of a command. */
export function misplacedFlagHint(
  command: "call" | "explain",
  flag: string,
  [tool = "", ...words]: readonly string[],
): string | undefined {
  if (tool === "shell") return `quote the command: toolwright ${command} shell '${words.join(" ")}'`;
  if (command === "explain" && !tool.includes("_"))
    return `quote the command: toolwright explain '${[tool, ...words].join(" ")}'`;
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0 || !flag.startsWith("--")) return undefined;
  const [name = "", value = words[at + 1] ?? "VALUE"] = (words[at] ?? "").slice(2).split("=", 2);
  return `parameters have no dashes: toolwright ${command} ${tool} ${name.replaceAll("-", "_")}=${value}`;
}
