import { isObject, type Json, type JsonSchema } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { starPattern } from "../../util/text/name-pattern.ts";
import { openingOf } from "../../util/text/shortened.ts";

const MAX_DEPTH = 6;

/** The part of a tool that a declaration shows. */
export type DeclaredTool = Pick<ToolSpec, "name" | "description" | "input" | "output">;

export interface DeclareOptions {
  /** Shows the descriptions of parameters too. */
  readonly isFull: boolean;
  /** Returns the schema of a tool's data, if its definition has none. */
  readonly dataOf: (name: string) => JsonSchema | undefined;
}

/** Returns the declaration of `tools` in TypeScript, with a method for each tool. */
export function declareTools(tools: readonly DeclaredTool[], options: DeclareOptions): string {
  return `declare const tools: {\n${tools.map((tool) => declareTool(tool, options)).join("\n")}\n};`;
}

/** Returns the tools with one of these names, which may contain `*`. */
export function toolsNamed(
  tools: readonly DeclaredTool[],
  names: readonly string[],
): readonly DeclaredTool[] {
  const patterns = names.map((name) => starPattern(name));
  return tools.filter(({ name }) => patterns.some((matches) => matches(name)));
}

function declareTool({ name, description, input, output }: DeclaredTool, options: DeclareOptions): string {
  const data = output ?? options.dataOf(name);
  const answer = data === undefined ? "Answer" : `Answer<${typeOf(data, options, 0)}>`;
  const parameters = typeOf(input, options, 0);
  const isOptional = !Array.isArray(input["required"]) || input["required"].length === 0;
  const about = options.isFull ? description : openingOf(description);
  const comment = about === "" ? "" : `${comments(about)}\n  `;
  return `  ${comment}${keyOf(name)}(input${isOptional ? "?" : ""}: ${parameters}): Promise<${answer}>;`;
}

function comments(text: string): string {
  return `/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ").trim()} */`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Returns the type of the values that a schema accepts; `unknown` for what has no short form. */
function typeOf(schema: Json | undefined, options: DeclareOptions, depth: number): string {
  if (!isObject(schema) || depth > MAX_DEPTH) return "unknown";
  const { type, enum: values, const: constant, anyOf, oneOf, items } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return union(values.map((one) => JSON.stringify(one)));
  const forms = anyOf ?? oneOf;
  if (Array.isArray(forms)) return union(forms.map((one) => typeOf(one, options, depth + 1)));
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, options, depth)));
  if (type === "integer") return "number";
  if (type === "array") return `${inParentheses(typeOf(items, options, depth + 1))}[]`;
  if (type === "object" || isObject(schema["properties"])) return objectType(schema, options, depth);
  return typeof type === "string" ? type : "unknown";
}

function objectType(schema: JsonSchema, options: DeclareOptions, depth: number): string {
  if (!isObject(schema)) return "unknown";
  const { properties, required, additionalProperties: rest } = schema;
  const entries = Object.entries(isObject(properties) ? properties : {});
  if (entries.length === 0)
    return rest === false
      ? "{}"
      : `Record<string, ${isObject(rest) ? typeOf(rest, options, depth + 1) : "unknown"}>`;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const fields = entries.map(([name, field]) => {
    const about = options.isFull && isObject(field) ? field["description"] : undefined;
    const comment = typeof about === "string" && about !== "" ? `${comments(about)} ` : "";
    return `${comment}${keyOf(name)}${isRequired(name) ? "" : "?"}: ${typeOf(field, options, depth + 1)}`;
  });
  return `{ ${fields.join("; ")} }`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function inParentheses(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}
