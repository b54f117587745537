import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import type { Finding, Report } from "../shared/types.ts";
import { add, createReport, missing, notAllowed, partOf, wrongType, wrongValue } from "./findings.ts";
import { ANY, OBJECT, typeOf, typesFromKeyword } from "../shared/json-value.ts";
import { below, childOf } from "../shared/pointer.ts";

/** One branch of an `anyOf` or `oneOf`, with what is known about it without trying it. */
export interface Branch {
  readonly types: number;
  /** For properties that are a constant or an enum in this branch: their values. */
  readonly tags: ReadonlyMap<string, readonly Json[]>;
  explain(value: Json, path: string, report: Report): void;
}

type Facts = Pick<Branch, "types" | "tags">;
type Resolve = (reference: string) => JsonSchema | undefined;

const NO_TAGS: Facts["tags"] = new Map();

/** Returns what is known about the values that a schema accepts; references are followed a few steps. */
export function factsOf(schema: JsonSchema, resolve: Resolve, steps = 8): Facts {
  if (!isObject(schema)) return { types: schema ? ANY : 0, tags: NO_TAGS };
  const reference = schema["$ref"];
  if (typeof reference === "string" && steps > 0) {
    const target = resolve(reference);
    if (target !== undefined) return factsOf(target, resolve, steps - 1);
  }
  const types = typesFromKeyword(schema["type"]) ?? ANY;
  const values = valuesOf(schema);
  const listedTypes = values?.reduce<number>((bits, value) => bits | typeOf(value), 0) ?? ANY;
  return { types: types & listedTypes, tags: tagsOf(schema) };
}

/** Explains a value that fits no branch: by its tag, else by its type, else by the branch that came closest. */
export function explainUnion(
  branches: readonly Branch[],
  schema: JsonObject,
  value: Json,
  { path, report }: { readonly path: string; readonly report: Report },
): void {
  if (isObject(value)) {
    const tagged = byTag(branches, schema, value, path);
    if (tagged !== undefined) return addAll(report, tagged);
  }
  const type = typeOf(value);
  const fitting = branches.filter((branch) => (branch.types & type) !== 0);
  if (fitting.length === 0) {
    const types = branches.reduce((bits, branch) => bits | branch.types, 0);
    return add(report, wrongType(value, path, types, schema));
  }
  addAll(report, closest(fitting, schema, value, path));
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (schema["const"] !== undefined) return [schema["const"]];
  const list = schema["enum"];
  return Array.isArray(list) ? list : undefined;
}

function tagsOf(schema: JsonObject): Facts["tags"] {
  const properties = schema["properties"];
  if (!isObject(properties)) return NO_TAGS;
  const tags = new Map<string, readonly Json[]>();
  for (const [key, property] of Object.entries(properties)) {
    const values = isObject(property) ? valuesOf(property) : undefined;
    if (values !== undefined) tags.set(key, values);
  }
  return tags;
}

/** If every object form has the same tag property, that property alone decides which form was meant. */
function byTag(
  branches: readonly Branch[],
  schema: JsonObject,
  value: JsonObject,
  path: string,
): readonly Finding[] | undefined {
  const forms = branches.filter((branch) => (branch.types & OBJECT) !== 0);
  const [first] = forms;
  if (first === undefined || forms.length < 2) return undefined;
  for (const key of first.tags.keys()) {
    if (!forms.every((form) => form.tags.has(key)) || !isDistinct(forms, key)) continue;
    const tag = childOf(value, key);
    const meant = forms.filter((form) => tag !== undefined && form.tags.get(key)?.includes(tag));
    if (meant.length > 0) return closest(meant, schema, value, path);
    const allowed = [...new Set(forms.flatMap((form) => form.tags.get(key) ?? []))];
    if (tag !== undefined) return [notAllowed(tag, below(path, key), allowed)];
    return [missing(below(path, key), { enum: allowed })];
  }
  return undefined;
}

/** A property with the same values in every form distinguishes nothing. */
function isDistinct(forms: readonly Branch[], key: string): boolean {
  const seen = new Set(forms.map((form) => JSON.stringify(form.tags.get(key))));
  return seen.size > 1;
}

function closest(
  branches: readonly Branch[],
  schema: JsonObject,
  value: Json,
  path: string,
): readonly Finding[] {
  const tried = branches.map((branch) => {
    const report = createReport();
    branch.explain(value, path, report);
    return report;
  });
  const allowed = mergedValues(tried, path);
  if (allowed !== undefined) return [notAllowed(value, path, allowed, partOf(schema, "enum"))];
  // If a form fits, the union failed for another reason: too many fit.
  const failed = tried.filter((report) => report.total > 0);
  const best = failed.toSorted((a, b) => a.total - b.total)[0];
  if (best === undefined || failed.length < tried.length) {
    return [wrongValue(value, path, "a value that fits one form", partOf(schema, "anyOf"))];
  }
  return best.findings;
}

/** Returns one list of values if every form fails only because it lists other values. */
function mergedValues(tried: readonly Report[], path: string): readonly Json[] | undefined {
  const merged: Json[] = [];
  for (const report of tried) {
    const [finding] = report.findings;
    if (report.total !== 1 || finding?.allowed === undefined || finding.problem.path !== path)
      return undefined;
    merged.push(...finding.allowed);
  }
  return tried.length < 2 ? undefined : [...new Set(merged)];
}

function addAll(report: Report, findings: readonly Finding[]): void {
  for (const finding of findings) add(report, finding);
}
