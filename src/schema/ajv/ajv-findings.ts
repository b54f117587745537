import type { ErrorObject } from "ajv";
import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import type { Finding, Report } from "../shared/types.ts";
import {
  add,
  createReport,
  listNames,
  missing,
  notAllowed,
  partOf,
  unknownProperty,
  unmet,
  wrongType,
  wrongValue,
} from "../problems/findings.ts";
import { typesFromKeyword } from "../shared/json-value.ts";
import { below, childOf, localKeys, resolveLocal } from "../shared/pointer.ts";
import { explainUnion, factsOf, type Branch } from "../problems/union.ts";

/** Converts the errors of a verbose Ajv that reports all errors to the findings of the quick validator. */
export function toFindings(errors: readonly ErrorObject[], document: JsonSchema): readonly Finding[] {
  const report = createReport();
  convert(errors, document, report);
  return report.findings;
}

function convert(errors: readonly ErrorObject[], document: JsonSchema, report: Report): void {
  const handled = new Set<ErrorObject>();
  // The error of a union follows those of its branches; going backwards, it comes first and covers them.
  const findings: Finding[] = [];
  for (let index = errors.length - 1; index >= 0; index -= 1) {
    const error = errors[index];
    if (error === undefined || handled.has(error)) continue;
    const own = createReport();
    if (error.keyword === "anyOf" || error.keyword === "oneOf") {
      convertUnion(error, errors.slice(0, index), document, { handled, report: own });
    } else {
      convertOne(error, own, errors.length);
    }
    const optional = isOptional(error, document);
    findings.unshift(...own.findings.map((finding) => about(finding, error, optional)));
  }
  for (const finding of findings) add(report, finding);
}

/** Adds what Ajv knows besides the error: whether the value is optional, or is the name of a property. */
function about(finding: Finding, error: ErrorObject, optional: boolean): Finding {
  const { problem } = finding;
  // A name cannot be coerced like a value.
  if (error.propertyName !== undefined) {
    return { problem: { ...problem, path: below(error.instancePath, error.propertyName) }, types: 0 };
  }
  return optional && problem.path === error.instancePath ? { ...finding, optional } : finding;
}

function convertUnion(
  error: ErrorObject,
  before: readonly ErrorObject[],
  document: JsonSchema,
  { handled, report }: { readonly handled: Set<ErrorObject>; readonly report: Report },
): void {
  const list = (Array.isArray(error.schema) ? error.schema : []) as readonly JsonSchema[];
  const schema: JsonObject = isObject(error.parentSchema) ? error.parentSchema : {};
  const resolve = (reference: string): JsonSchema | undefined => resolveLocal(document, reference);
  const { passingSchemas } = error.params as { readonly passingSchemas?: unknown };
  if (error.keyword === "oneOf" && (passingSchemas ?? undefined) !== undefined) {
    // It fits several forms, although it should fit only one.
    const expected = `a value that fits exactly one of ${list.length} forms`;
    add(report, wrongValue(error.data as Json, error.instancePath, expected, partOf(schema, "oneOf")));
    return;
  }
  const branches = list.map((branch, index): Branch => {
    const own = before.filter((earlier) => belongs(earlier, error, branch, index));
    for (const earlier of own) handled.add(earlier);
    return { ...factsOf(branch, resolve), explain: (_value, _path, into) => convert(own, document, into) };
  });
  explainUnion(branches, schema, error.data as Json, { path: error.instancePath, report });
}

function belongs(earlier: ErrorObject, union: ErrorObject, branch: JsonSchema, index: number): boolean {
  if (!earlier.instancePath.startsWith(union.instancePath)) return false;
  if (earlier.schemaPath.startsWith(`${union.schemaPath}/${index}/`)) return true;
  const reference = isObject(branch) ? branch["$ref"] : undefined;
  return typeof reference === "string" && earlier.schemaPath.startsWith(`${reference}/`);
}

function convertOne(error: ErrorObject, report: Report, total: number): void {
  const schema = (error.parentSchema ?? {}) as JsonObject;
  const value = error.data as Json;
  const path = error.instancePath;
  const name = namedProperty(error);
  switch (error.keyword) {
    case "type":
      return add(report, wrongType(value, path, typesFromKeyword(schema["type"]) ?? 0, schema));
    case "required":
    case "dependentRequired":
    case "dependencies":
      return add(report, missing(below(path, name), propertyOf(schema, name)));
    case "additionalProperties":
    case "unevaluatedProperties":
      return add(report, toUnknown(schema, value, below(path, name), name));
    case "enum":
      return add(report, notAllowed(value, path, schema["enum"] as readonly Json[], partOf(schema, "enum")));
    case "const":
      return add(report, notAllowed(value, path, [schema["const"] as Json], partOf(schema, "const")));
  }
  // These only repeat that a schema below them failed.
  if (total > 1 && (error.keyword === "if" || error.keyword === "propertyNames")) return;
  add(report, unmet(error.keyword, schema, value, path));
}

/** Returns the property that an error is about, if any. */
function namedProperty(error: ErrorObject): string {
  const params = error.params as Readonly<Record<string, string | undefined>>;
  return params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"] ?? "";
}

function toUnknown(schema: JsonObject, value: Json, path: string, name: string): Finding {
  const known = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const free = known.filter((other) => childOf(value, other) === undefined);
  return unknownProperty(path, listNames(known), name, free);
}

function propertyOf(schema: JsonObject, name: string): JsonSchema | undefined {
  const property = childOf(schema["properties"], name);
  return isObject(property) || typeof property === "boolean" ? property : undefined;
}

/** Returns true if the value is a declared property that its object does not require. */
function isOptional(error: ErrorObject, document: JsonSchema): boolean {
  const keys = localKeys(error.schemaPath) ?? [];
  const [name, keyword] = [keys.at(-2), keys.at(-3)];
  if (keyword !== "properties" || name === undefined) return false;
  let parent: Json | undefined = document;
  for (const key of keys.slice(0, -3)) parent = childOf(parent, key);
  const required = childOf(parent, "required");
  return !Array.isArray(required) || !required.includes(name);
}
