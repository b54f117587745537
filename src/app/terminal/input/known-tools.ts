import { ToolError } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { KnownTool } from "../../../models/text-calls/read/tool-table.ts";

/** Where the providers' forms put the schema of a tool's parameters. */
const SCHEMA_KEYS = ["input", "parameters", "input_schema", "inputSchema"];

/** A list of tools in any provider's form, as names and schemas; throws where it is something else. */
export function toKnownTools(value: Json, file: string): readonly KnownTool[] {
  const list = isObject(value) && Array.isArray(value["tools"]) ? value["tools"] : value;
  const tools = Array.isArray(list)
    ? (list as readonly Json[]).flatMap(unfold).map(toKnownTool)
    : [undefined];
  if (tools.includes(undefined)) {
    throw new ToolError("INVALID_INPUT", `${file} is not a list of tools`, {
      hint: 'it should be what "toolwright tools --format openai" prints, or the like',
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
