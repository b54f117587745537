import { SHAPES } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import { EFFECTS, PLACES, RISKS } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { nearHint } from "../../util/text/near-hint.ts";

/** Throws `INVALID_INPUT` unless the tool can run and be shown: what types refuse, refused also without them. */
export function checkDefinition(tool: Tool): void {
  const { name, description, risk, place, effects, limits } = tool;
  if (typeof name !== "string") throw invalid(name, "it has no name", 'add name: "verb_noun"');
  if (typeof tool.run !== "function")
    throw invalid(name, "it has no function run", "add run(input, context)");
  if (typeof description !== "string")
    throw invalid(name, "it has no description", "say in a sentence what the tool does: the model reads it");
  checkValue(name, "risk", risk, RISKS);
  checkValue(name, "place", place, PLACES);
  checkValue(name, "effects", effects, EFFECTS);
  checkValue(name, "limits.shape", limits?.shape ?? "text", SHAPES);
  for (const field of ["timeoutMs", "idleTimeoutMs", "concurrency"] as const) {
    const value: unknown = limits?.[field] ?? 1;
    if (typeof value === "number" && value > 0) continue;
    throw invalid(name, `its limits.${field} is ${JSON.stringify(value)}`, "use a positive number");
  }
  const misnamed = ["inputSchema", "parameters"].find((field) => field in tool);
  if (misnamed !== undefined)
    throw invalid(name, `it has ${misnamed}`, "call the schema of its input `input`");
  checkSchema(name, tool.input);
}

function checkValue(name: string, what: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  const hint = nearHint(JSON.stringify(value) ?? "", known, `use ${known.join(", ")}`);
  throw invalid(name, `unknown ${what} ${JSON.stringify(value)}`, hint);
}

/** Throws if the input is a schema of a library in a form that would be taken for JSON Schema. */
function checkSchema(name: string, input: unknown): void {
  const isZod3 = isRecord(input) && typeof input["safeParse"] === "function" && !("~standard" in input);
  if (isZod3) throw invalid(name, "its input is a schema of Zod 3", 'use Zod 4: import { z } from "zod"');
  if (!isRecord(input)) throw invalid(name, "its input is not a schema", "use object({ … }), or omit it");
  for (const field of Object.keys(input)) {
    const value = input[field];
    if (!isRecord(value) || !("~standard" in value || "_zod" in value || isShape(input, field, value)))
      continue;
    throw invalid(
      name,
      `its input is an object of schemas (${field}), not a schema`,
      "wrap it: z.object({ … }), or object({ … })",
    );
  }
}

/** Returns true for `{ city: { type: "string" } }`: as JSON Schema it would allow everything and show no parameter. */
function isShape(input: Fields, field: string, value: Fields): boolean {
  if ("type" in input || "properties" in input || WITH_SCHEMA.test(field)) return false;
  return typeof value["type"] === "string";
}

/** The keywords of JSON Schema whose value is a schema. */
const WITH_SCHEMA =
  /^(?:additionalProperties|unevaluated(?:Properties|Items)|propertyNames|items|contains|not|if|then|else)$/;

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return (
    (typeof value === "object" || typeof value === "function") && value !== null && !Array.isArray(value)
  );
}

function invalid(name: string, problem: string, hint: string): ToolError {
  return new ToolError("INVALID_INPUT", `tool ${JSON.stringify(name)}: ${problem}`, { hint });
}
