import { SHAPES } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import { EFFECTS, HOST, RISKS } from "../../core/spec.ts";
import type { AnyTool, Tool } from "../../core/tool.ts";
import { describeValue } from "../../util/json/describe-value.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import { typesFromKeyword } from "../../json-schema/shared/json-value.ts";

/** Throws `INVALID_INPUT` unless the tool can run and be shown: what types refuse, refused also without them. */
export function checkDefinition(tool: AnyTool): void {
  const { name, description, risk, place, effects, limits } = tool;
  if (typeof name !== "string") throw withoutName(tool as Tool & Fields);
  assertName(name);
  if (typeof tool.run !== "function") throw withoutRun(tool as Tool & Fields);
  if (typeof description !== "string")
    throw invalid(name, "it has no description", "say in a sentence what the tool does: the model reads it");
  checkParts(tool);
  if (risk === undefined && effects === undefined)
    throw invalid(name, "it has no risk and no effects", "pass defineTool({ … }), which has defaults");
  checkValue(name, "risk", risk, RISKS);
  if (typeof place !== "string" || place === "")
    throw invalid(name, `its place is ${describeValue(place)}`, `use "${HOST}", or the place of an executor`);
  checkValue(name, "effects", effects, EFFECTS);
  checkValue(name, "limits.shape", limits?.shape ?? "text", SHAPES);
  checkLimits(name, limits);
  for (const field of ["inputSchema", "parameters"])
    if (isInputInstead(tool as Tool & Fields, field))
      throw invalid(name, `it has ${field}`, "call the schema of its input `input`");
  checkSchema(name, tool.input);
}

/** Throws unless every provider can be shown the name, or one made from it. */
export function assertName(name: string): void {
  if (/^[^\p{C}\p{Z}]{1,128}$/u.test(name)) return;
  throw new ToolError("INVALID_INPUT", `invalid tool name ${JSON.stringify(name.slice(0, 200))}`, {
    details: { reason: "bad_name" },
    hint: "use 1 to 128 characters, without spaces or control characters",
  });
}

function checkLimits(name: string, limits: Tool["limits"]): void {
  for (const field of ["timeoutMs", "idleTimeoutMs", "concurrency"] as const) {
    const value: unknown = limits?.[field] ?? 1;
    if (typeof value === "number" && value > 0) continue;
    throw invalid(name, `its limits.${field} is ${JSON.stringify(value)}`, "use a positive number");
  }
}

function withoutName(tool: Tool & Fields): ToolError {
  const isKeyed =
    typeof tool["execute"] === "function" ||
    Object.values(tool).some((each) => isRecord(each) && "execute" in each);
  const hint = isKeyed
    ? "tools of the AI SDK are named by their keys: fromAiSdkTools({ … }) of toolwright/ai-sdk"
    : 'add name: "verb_noun"';
  return invalid(tool.name, "it has no name", hint);
}

/** The function of a tool, and the schema of its input, in other SDKs and protocols. */
const OTHER_FUNCTIONS = ["execute", "handler", "func", "invoke", "call"];
const OTHER_SCHEMAS = ["inputSchema", "input_schema", "parameters", "schema"];

/** Returns the error that names what to rename in a tool of another SDK, of MCP, or of a plain registry. */
function withoutRun(tool: Tool & Fields): ToolError {
  const run = OTHER_FUNCTIONS.find((field) => typeof tool[field] === "function");
  const input = OTHER_SCHEMAS.find((field) => isInputInstead(tool, field));
  const renamed = [
    ...(input === undefined ? [] : [`input: ${input}`]),
    ...(run === undefined ? [] : [`run: ${run}`]),
  ];
  const hint =
    run === undefined
      ? `add run(input, context)${input === undefined ? "" : ` and write input for ${input}`}; an MCP server is a source of tools`
      : `write defineTool({ name, description, ${renamed.join(", ")} })`;
  const fields = [run, input].filter((field) => field !== undefined).join(" and ");
  return invalid(tool.name, `it has no function run${fields === "" ? "" : `, but ${fields}`}`, hint);
}

/** Returns true if the tool has its input in this field: its own was not given, or has no parameters. */
function isInputInstead(tool: Fields, field: string): boolean {
  const { input, [field]: other } = tool;
  if (other === undefined || other === input) return false;
  const properties = isRecord(input) ? input["properties"] : {};
  return isRecord(properties) && Object.keys(properties).length === 0;
}

const FUNCTIONS = [
  "parse",
  "check",
  "riskOf",
  "limitsOf",
  "facts",
  "calls",
  "onInput",
  "rehearse",
  "describe",
  "attributes",
];
const FLAGS = ["isUntrusted", "masks", "runsTogether", "startsInactive"];

/** Throws if a part has a value of another type: it would be ignored, or would fail each call. */
function checkParts(tool: Tool): void {
  const parts = tool as unknown as Fields;
  for (const part of FUNCTIONS)
    if (parts[part] !== undefined && typeof parts[part] !== "function")
      throw invalid(tool.name, `its ${part} is ${describeValue(parts[part])}`, `make ${part} a function`);
  for (const part of FLAGS)
    if (parts[part] !== undefined && typeof parts[part] !== "boolean")
      throw invalid(tool.name, `its ${part} is ${describeValue(parts[part])}`, "use true or false");
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
  if (Object.keys(input).length === 1 && isRecord(input["schema"]))
    throw invalid(name, "its input is { schema }, not a schema", "pass its schema: fromFlatSchema(…).schema");
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
  if ("type" in input || "properties" in input || KEYWORD.test(field)) return false;
  const { type } = value;
  return typeof type === "string" && typesFromKeyword(type) !== undefined;
}

/** The keywords of JSON Schema, and its extensions, whose value may be an object with a `type`. */
const KEYWORD =
  /^(?:(?:additional|unevaluated)(?:Properties|Items)|propertyNames|items|contains|contentSchema|not|if|then|else|default|const|examples?|discriminator|x-.*)$/;

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return (
    (typeof value === "object" || typeof value === "function") && value !== null && !Array.isArray(value)
  );
}

function invalid(name: string, problem: string, hint: string): ToolError {
  return new ToolError("INVALID_INPUT", `tool ${JSON.stringify(name)}: ${problem}`, { hint });
}
