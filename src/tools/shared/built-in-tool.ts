import type { Tool, ToolRef } from "../../core/tool.ts";
import { object, type Fields, type Infer, type InferGiven, type Schema } from "../../schema/define/schema.ts";
import { defineTool, type ToolDefinition } from "../../schema/define/define-tool.ts";
import type { InputOf, InputSchema } from "../../schema/define/tool-types.ts";
import { isObject, type JsonObject, type JsonSchema } from "../../core/json.ts";
import type { Problem } from "../../core/result.ts";

/** Parameter names of other systems; accepted, never shown. */
const COMMON: Readonly<Record<string, string>> = {
  file_path: "path",
  directory: "path",
  old_text: "old_string",
  old_str: "old_string",
  target: "old_string",
  new_text: "new_string",
  new_str: "new_string",
  replacement: "new_string",
  text: "content",
  file_text: "content",
  offset: "start_line",
  line_limit: "limit",
  timeout: "timeout_seconds",
};

/** Returns the aliases that apply to a tool: it has the target, and no parameter with the name of the alias. */
export function parameterAliasesOf(input: JsonObject): Readonly<Record<string, string>> {
  const parameters = input["properties"];
  if (!isObject(parameters)) return {};
  const applies = ([alias, target]: [string, string]): boolean =>
    Object.hasOwn(parameters, target) && !Object.hasOwn(parameters, alias);
  return Object.fromEntries(Object.entries(COMMON).filter(applies));
}

/** Returns a problem if a parameter that this call needs is missing. */
export function missingProblem(parameter: string, value: unknown, when: string): readonly Problem[] {
  if (value !== undefined) return [];
  return [{ kind: "missing", path: `/${parameter}`, expected: `${parameter} for ${when}`, got: "nothing" }];
}

/** Returns the problem of an invalid value. */
export function valueProblem(path: string, expected: string, got: string): readonly Problem[] {
  return [{ kind: "value", path, expected, got }];
}

/** Returns a problem if an address is not a URL such as the example. */
export function urlProblem(path: string, url: string, example = "https://example.com"): readonly Problem[] {
  return URL.canParse(url) ? [] : valueProblem(path, `a URL, such as ${example}`, url);
}

/** A built-in tool by name, with the types of its input and data, for `engine.call`. */
export interface BuiltInTool<Data, Given> extends ToolRef<Data, Given> {
  /** The schema of `data`. It is not part of the tool: models and MCP clients are not shown it. */
  readonly data: JsonSchema;
}

/** A `BuiltInTool` with the schemas from which its types come. */
export interface NamedTool<Input, Data> extends BuiltInTool<Data, Flat<InferGiven<Input>>> {
  readonly input: Input;
  readonly data: Schema<Data>;
}

/** The type of an object with these fields. */
type ObjectOf<F extends Fields> = Infer<ReturnType<typeof object<F>>>;

type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;

/** Declares the name, the input and the fields of the data of a tool. */
export function named<Input extends JsonObject, F extends Fields>(
  name: string,
  input: Input,
  fields: F,
): NamedTool<Input, ObjectOf<F>> {
  return namedAs(name, input, object(fields));
}

/** Declares the name, the input and the data of a tool. */
export function namedAs<Input extends JsonObject, Data>(
  name: string,
  input: Input,
  data: Schema<Data>,
): NamedTool<Input, Data> {
  return { name, input, data };
}

/** Defines a built-in tool, which also accepts the parameter names of other systems. The tool itself has no schema of its data. */
export function builtIn<const S extends InputSchema = JsonObject>({
  data: _data,
  ...definition
}: ToolDefinition<S> & { readonly data?: JsonSchema }): Tool<InputOf<S>> {
  const aliases = parameterAliasesOf(definition.input as JsonObject);
  const accepted = Object.keys(aliases).length === 0 ? {} : { parameterAliases: aliases };
  return defineTool({ source: "built-in", ...accepted, ...definition });
}

const OWN = { risk: "low", place: "host", effects: "own-state" } as const;

/** Common properties of tools that store the agent's own state. */
export const OWN_STATE = { ...OWN, group: "memory" } as const;

/** Common properties of team and report tools. Starting an agent is of low risk, because each of its calls is judged. */
export const AGENTS = { ...OWN, group: "agents", startsInactive: true } as const;

/** Common properties of tools about tools, artifacts and skills. */
export const ABOUT = { ...OWN, group: "about", effects: "none" } as const;

const FILES = { place: "sandbox", group: "files" } as const;

/** Common properties of tools that only read files. */
export const READS = { ...FILES, risk: "low", effects: "none" } as const;

/** A cancelled change may take this long to end, so that the answer says whether it was made. */
export const CHANGE_LIMITS = { graceMs: 10_000 } as const;

/** Common properties of tools whose changes cannot simply be repeated. */
export const CHANGES = { ...FILES, risk: "medium", effects: "unsafe", limits: CHANGE_LIMITS } as const;
