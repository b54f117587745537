import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";

/** What is to be put into a field of a form. */
export type FieldPlan =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "fields"; readonly fields: Readonly<Record<string, FieldPlan>> }
  | { readonly kind: "items"; readonly items: readonly FieldPlan[] }
  | { readonly kind: "entries"; readonly entries: Readonly<Record<string, FieldPlan>> }
  | { readonly kind: "alternative"; readonly index: number; readonly plan: FieldPlan };

interface PlanOptions {
  /** Also what is optional. */
  readonly isWhole: boolean;
  /** Default: the schema itself. */
  readonly root?: JsonObject;
  readonly depth?: number;
}

/** Returns a plan for a form of a simplified schema. */
export function planOf(given: JsonObject, options: PlanOptions): FieldPlan {
  const { isWhole, root = given, depth = 0 } = options;
  const schema = resolved(given, root);
  const inner = { isWhole: isWhole && depth < 4, root, depth: depth + 1 };
  const { anyOf, oneOf } = schema;
  const alternatives = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(alternatives)) {
    const index = alternatives.findIndex((one) => isObject(one) && one["type"] !== "null");
    return { kind: "alternative", index, plan: planOf(alternatives[index] as JsonObject, inner) };
  }
  if (Array.isArray(schema["enum"])) return { kind: "value", value: schema["enum"][0] ?? null };
  if (schema["const"] !== undefined) return { kind: "value", value: schema["const"] };
  return planOfType(schema, inner);
}

type InnerOptions = Required<PlanOptions>;

function planOfType(schema: JsonObject, inner: InnerOptions): FieldPlan {
  const type = typeOf(schema);
  if (type === "object") return planOfObject(schema, inner);
  if (type !== "array") return { kind: "value", value: plainValue(schema, type) };
  const { items, minItems: least } = schema;
  const count = Math.max(typeof least === "number" ? least : 0, inner.isWhole ? 1 : 0);
  const item = isObject(items) ? planOf(items, inner) : { kind: "value" as const, value: "text" };
  return { kind: "items", items: Array.from({ length: count }, () => item) };
}

function planOfObject(schema: JsonObject, inner: InnerOptions): FieldPlan {
  const { properties, additionalProperties: entry = true } = schema;
  if (!isObject(properties)) {
    const plan = planOf(isObject(entry) ? entry : { type: "string" }, inner);
    return { kind: "entries", entries: inner.isWhole && entry !== false ? { first: plan } : {} };
  }
  const required: readonly Json[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && (inner.isWhole || required.includes(name))
      ? [[name, planOf(property, inner)] as const]
      : [],
  );
  return { kind: "fields", fields: Object.fromEntries(fields) };
}

function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== "string") return schema;
  const target = reference
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((node, key) => (isObject(node) ? node[key] : undefined), root);
  return resolved({ ...(isObject(target) ? target : {}), ...rest }, root);
}

function typeOf({ type, properties, items }: JsonObject): string {
  if (Array.isArray(type)) return String(type.find((one) => one !== "null") ?? "null");
  if (typeof type === "string") return type;
  if (properties !== undefined) return "object";
  return items === undefined ? "string" : "array";
}

function plainValue(schema: JsonObject, type: string): Json {
  const [least, most] = [limit(schema, "inimum"), limit(schema, "aximum")];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Math.min(Math.max(1, least ?? 1), most ?? Infinity);
  return textFor(schema);
}

/** Returns an inclusive limit of a number: `minimum`, or one more than `exclusiveMinimum`. */
function limit(schema: JsonObject, ending: "inimum" | "aximum"): number | undefined {
  const [inclusive, exclusive] = [schema[`m${ending}`], schema[`exclusiveM${ending}`]];
  if (typeof inclusive === "number") return inclusive;
  if (typeof exclusive !== "number") return undefined;
  return ending === "inimum" ? exclusive + 1 : exclusive - 1;
}

const TEXTS: Readonly<Record<string, string>> = {
  "date-time": "2026-05-06T10:11",
  date: "2026-05-06",
  time: "10:11:12",
  email: "ann@example.com",
  uri: "https://example.com/a",
  uuid: "7d444840-9dc0-11d1-b245-5ffdce74fad2",
};

/** Tried for a pattern. */
const CANDIDATES = [
  ...Object.values(TEXTS),
  "aabbcc",
  "a/b",
  "pid=1",
  "24h",
  "1:2",
  "a.png",
  "example.com",
  "a",
  "abc",
  "A1",
  "1",
  "10115",
  "0".repeat(8),
  "a".repeat(40),
  "0".repeat(64),
];

function textFor({ format, pattern, minLength = 1, maxLength }: JsonObject): string {
  if (typeof pattern === "string") {
    const match = CANDIDATES.find((text) => new RegExp(pattern, "u").test(text));
    if (match !== undefined) return match;
  }
  const text =
    (typeof format === "string" ? TEXTS[format] : undefined) ?? "text".padEnd(Number(minLength), "t");
  return maxLength === undefined ? text : text.slice(0, Number(maxLength));
}
