import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { KnownTool } from "../../../models/text-calls/read/tool-table.ts";

/** The keys under which providers put the schema of a tool's parameters. */
const SCHEMA_KEYS = ["input", "parameters", "input_schema", "inputSchema"];

/** Parses a list of tools in the format of any provider. Throws on anything else. */
export function toKnownTools(value: Json, file: string): readonly KnownTool[] {
  const list = isObject(value) && Array.isArray(value["tools"]) ? value["tools"] : value;
  const tools = Array.isArray(list)
    ? (list as readonly Json[]).flatMap(unfold).map(toKnownTool)
    : [undefined];
  if (tools.includes(undefined)) {
    throw new ToolError("INVALID_INPUT", `${file} is not a list of tools`, {
      hint: 'expected the output of "toolwright tools --format openai" or of another provider',
    });
  }
  return tools.filter((tool) => tool !== undefined);
}

/** Google lists functions inside of tools. */
function unfold(value: Json): readonly Json[] {
  const inner = isObject(value)
    ? (value["functionDeclarations"] ?? value["function_declarations"])
    : undefined;
  return Array.isArray(inner) ? (inner as readonly Json[]) : [value];
}

function toKnownTool(value: Json): KnownTool | undefined {
  if (!isObject(value)) return undefined;
  const spec: JsonObject = isObject(value["function"]) ? value["function"] : value;
  const { name } = spec;
  if (typeof name !== "string") return undefined;
  const input = SCHEMA_KEYS.map((key) => spec[key]).find(isObject);
  return { name, input: input ?? {} };
}
