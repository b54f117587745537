import { fromFlatSchema } from "../../schema/define/flat-schema.ts";
import { isObject, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import type { Problem } from "../problem.ts";

/** The declaration of a program. It cannot set its risk, place or effects. */
export interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output?: JsonSchema;
  readonly timeoutMs?: number;
}

export type Read = { readonly declaration: Declaration } | { readonly problem: Problem };

/** Names that every provider accepts. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_TIMEOUT_MS = 3_600_000;
const SHOWN_CHARACTERS = 80;

/**
 * Reads the schema that a program printed: `name`, `description` and its parameters, flat or as standard JSON Schema, under
 * `parameters`, `input`, `inputSchema` or `input_schema`. Never throws.
 */
export function readSchema(text: string): Read {
  const document = parseJson(text);
  if (document === undefined) {
    const start = JSON.stringify(text.trim().slice(0, SHOWN_CHARACTERS));
    return problem("not_json", text.trim() === "" ? "it printed nothing for --schema" : `not JSON: ${start}`);
  }
  if (!isObject(document)) return problem("bad_schema", "its schema must be one JSON object");
  const { name, description = "" } = document;
  if (typeof name !== "string") return problem("bad_schema", "its schema has no name");
  if (!NAME.test(name)) {
    const shown = JSON.stringify(name.slice(0, SHOWN_CHARACTERS));
    return problem("bad_name", `${shown} is not a valid tool name`, "use 1 to 64 letters, digits, _ and -");
  }
  if (typeof description !== "string") return problem("bad_schema", "its description must be text");
  return readParts(document, { name, description });
}

function readParts(document: JsonObject, named: Pick<Declaration, "name" | "description">): Read {
  const { output } = document;
  if (output !== undefined && typeof output !== "boolean" && !isObject(output))
    return problem("bad_schema", "its output must be a JSON Schema");
  const timeoutMs = timeoutOf(document);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    return problem("bad_schema", "its time limit must be a number above 0");
  const input = inputOf(document);
  if ("problem" in input) return problem("bad_schema", input.problem);
  return {
    declaration: {
      ...named,
      input: input.schema,
      ...(output !== undefined && { output }),
      ...(timeoutMs !== undefined && { timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS) }),
    },
  };
}

function inputOf(document: JsonObject): ReturnType<typeof fromFlatSchema> {
  const { name = "", parameters, input, inputSchema, input_schema } = document;
  const given = parameters ?? input ?? inputSchema ?? input_schema;
  try {
    return fromFlatSchema({ name, ...(given !== undefined && { parameters: given }) });
  } catch {
    // Nested deeper than the stack allows.
    return { problem: "its parameters are nested too deep" };
  }
}

/** Returns NaN for a value that is not a number. */
function timeoutOf({ timeout_seconds: seconds, limits }: JsonObject): number | undefined {
  if (seconds !== undefined) return typeof seconds === "number" ? seconds * 1000 : Number.NaN;
  const { timeoutMs } = isObject(limits) ? limits : {};
  if (timeoutMs === undefined) return undefined;
  return typeof timeoutMs === "number" ? timeoutMs : Number.NaN;
}

function problem(reason: Problem["reason"], message: string, hint?: string): Read {
  return { problem: { reason, message, ...(hint !== undefined && { hint }) } };
}
