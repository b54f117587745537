import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import type { Problem } from "../../core/result.ts";
import { nearNames } from "../../util/text/near-names.ts";
import { defined } from "../../util/json/defined.ts";
import type { Finding, Report } from "../shared/types.ts";
import { ANY, describeTypes, typeOf, typesFromKeyword } from "../shared/json-value.ts";
import { counted } from "../../util/text/words.ts";

/** High enough to coerce a long list of numbers given as text, low enough for memory. */
const MAX_FINDINGS = 10_000;
const MAX_SHOWN = 60;
const MAX_PART = 600;

export function createReport(): Report {
  return { findings: [], total: 0 };
}

export function add(report: Report, finding: Finding): void {
  report.total += 1;
  if (report.findings.length < MAX_FINDINGS) report.findings.push(finding);
}

export function wrongType(value: Json, path: string, types: number, schema: JsonSchema): Finding {
  const expected = describeTypes(types);
  return {
    problem: toProblem("type", { path, expected, got: show(value), part: partOf(schema, "type") }),
    types,
  };
}

export function wrongValue(value: Json, path: string, expected: string, part?: Json): Finding {
  return { problem: toProblem("value", { path, expected, got: show(value), part }), types: 0 };
}

/** Returns the finding that a value does not satisfy a keyword of its schema. */
export function unmet(keyword: string, schema: JsonObject, value: Json, path: string): Finding {
  const limit = schema[keyword];
  const describe = Object.hasOwn(EXPECTED, keyword) ? EXPECTED[keyword] : undefined;
  const expected =
    describe?.(typeof limit === "object" ? JSON.stringify(limit) : String(limit), schema) ??
    `a value that satisfies ${keyword}`;
  return wrongValue(value, path, expected, partOf(schema, keyword));
}

/** What a keyword expects, for messages. */
const EXPECTED: Readonly<Record<string, (limit: string, schema: JsonObject) => string>> = {
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  exclusiveMinimum: (limit) => `more than ${limit}`,
  exclusiveMaximum: (limit) => `less than ${limit}`,
  multipleOf: (limit) => `a multiple of ${limit}`,
  minLength: (limit) => `at least ${counted(limit, "character")}`,
  maxLength: (limit) => `at most ${counted(limit, "character")}`,
  pattern: (limit, { patternErrorMessage: own }) =>
    typeof own === "string" ? own : `text that matches /${limit}/`,
  format: (limit) => `format ${limit}`,
  minItems: (limit) => `at least ${counted(limit, "item")}`,
  maxItems: (limit) => `at most ${counted(limit, "item")}`,
  uniqueItems: () => "items that all differ",
  minProperties: (limit) => `at least ${counted(limit, "property", "properties")}`,
  maxProperties: (limit) => `at most ${counted(limit, "property", "properties")}`,
  "false schema": () => "nothing here",
  contains: () => "an item that fits the schema under contains",
  not: () => "a value that does not fit the schema under not",
};

export function notAllowed(value: Json, path: string, allowed: readonly Json[], part?: Json): Finding {
  const expected = allowed.length === 1 ? compact(allowed[0] ?? null) : `one of ${listed(allowed)}`;
  const words = allowed.filter((choice) => typeof choice === "string");
  const near = typeof value === "string" && words.length > 5 ? nearNames(value, words) : [];
  const problem = toProblem("value", { path, expected, got: show(value), near, part });
  return { problem, types: allowed.reduce<number>((types, choice) => types | typeOf(choice), 0), allowed };
}

export function missing(
  path: string,
  property: JsonSchema | undefined,
  expected = expectation(property),
): Finding {
  const part = property === undefined ? undefined : partOf(property, "type");
  return { problem: toProblem("missing", { path, expected, got: "nothing", part }), types: 0 };
}

/** `known` is the text of `listNames`; `free` are the names that the unknown one may stand for. */
export function unknownProperty(path: string, known: string, name: string, free: readonly string[]): Finding {
  const near = free.length === 0 ? [] : nearNames(name, free);
  return { problem: toProblem("unknown", { path, expected: known, got: compact(name), near }), types: 0 };
}

export function listNames(names: readonly string[]): string {
  return names.length === 0 ? "no parameters" : `one of ${listed(names)}`;
}

/** Returns the schema if it is short enough to show, else only the keyword that failed, else nothing. */
export function partOf(schema: JsonSchema, keyword: string): Json | undefined {
  if (!isObject(schema) || sizeOf(schema, MAX_PART) <= MAX_PART) return schema;
  const value = schema[keyword];
  if (value === undefined || sizeOf(value, MAX_PART) > MAX_PART) return undefined;
  return { [keyword]: value };
}

/** Returns about the length of the JSON text; stops counting a little over `most`. */
function sizeOf(value: Json, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let size = 2;
  for (const key of Object.keys(value)) {
    if (size > most) return size;
    const child = (value as Readonly<Record<string, Json>>)[key] ?? null;
    size += (Array.isArray(value) ? 1 : key.length + 4) + sizeOf(child, most - size);
  }
  return size;
}

/** Describes a value: its type, and as much of it as fits. */
function show(value: Json | undefined): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "empty array" : `array of ${value.length}`;
  switch (typeof value) {
    case "string":
      return `string ${compact(value)}`;
    case "number":
      return `${Number.isInteger(value) ? "integer" : "number"} ${value}`;
    case "boolean":
      return `boolean ${value}`;
    case "object":
      return isObject(value) ? `object ${compact(value)}` : "object";
    default:
      return "nothing";
  }
}

/** Returns shortened JSON text. */
function compact(value: Json): string {
  if (typeof value === "string") {
    return value.length <= MAX_SHOWN
      ? JSON.stringify(value)
      : `${JSON.stringify(value.slice(0, MAX_SHOWN))}…`;
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (sizeOf(value, MAX_SHOWN) <= MAX_SHOWN) return JSON.stringify(value);
  return Array.isArray(value) ? `[${value.length} items]` : `{${listed(Object.keys(value), 5)}}`;
}

function listed(values: readonly Json[], most = 30): string {
  const firstValues = values.slice(0, most).map((value) => compact(value));
  if (values.length > most) firstValues.push(`… ${values.length - most} more`);
  return firstValues.join(", ");
}

function expectation(property: JsonSchema | undefined): string {
  if (!isObject(property)) return "a value";
  const types = typesFromKeyword(property["type"]) ?? ANY;
  if (Array.isArray(property["enum"])) return `one of ${listed(property["enum"])}`;
  return types === ANY ? "a value" : describeTypes(types);
}

type ProblemParts = Omit<Problem, "kind" | "schema"> & { readonly part?: Json | undefined };

function toProblem(kind: Problem["kind"], { path, expected, got, near = [], part }: ProblemParts): Problem {
  const more = { near: near.length === 0 ? undefined : near, schema: part };
  return { kind, path, expected, got, ...defined(more) };
}

/** Returns all problems of an input or output as one message that a model can act on: the place, what was expected, what was given, what was probably meant. */
export function describeProblems(
  problems: readonly Problem[],
  more = 0,
  what: "input" | "output" = "input",
): string {
  const lines = problems.map((problem) => describeProblem(problem, what));
  if (more > 0) lines.push(`… and ${more} more`);
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return only;
  return `${problems.length + more} problems:\n- ${lines.join("\n- ")}`;
}

function describeProblem(problem: Problem, what: "input" | "output"): string {
  const { kind, path, expected, got, near = [], schema } = problem;
  const where = path === "" ? `the ${what}` : path;
  const meant =
    near.length === 0 ? "" : `; did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?`;
  // The schema helps with a missing or mistyped value; the list of names with an unknown name.
  const part = schema === undefined ? "" : `; schema: ${JSON.stringify(schema)}`;
  switch (kind) {
    case "missing":
      return `${where} is missing: expected ${expected}${part}`;
    case "unknown":
      return `${where} is not a ${what === "input" ? "parameter" : "property"}: expected ${expected}${meant}`;
    default:
      return `${where}: expected ${expected}, got ${got}${meant}${part}`;
  }
}
