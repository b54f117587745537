import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { deepEqual, areUnique } from "../shared/json-value.ts";
import { add, notAllowed, partOf, unmet, wrongValue } from "../problems/findings.ts";
import type { Compilation, Rule } from "../shared/types.ts";
import { explainUnion, factsOf, type Branch } from "../problems/union.ts";
import { below } from "../shared/pointer.ts";
import { numberAt } from "./keyword-forms.ts";

/** Compiles `const` and `enum`. */
export function compileValues(schema: JsonObject): readonly Rule[] {
  const rules: Rule[] = [];
  const constant = schema["const"];
  if (constant !== undefined) rules.push(oneOfValues([constant], schema, "const"));
  const list = schema["enum"];
  if (Array.isArray(list)) rules.push(oneOfValues(list, schema, "enum"));
  return rules;
}

/** Compiles `allOf`, `anyOf`, `oneOf` and `not`, all about the same value. */
export function compileBranches(schema: JsonObject, on: Compilation, region: number): readonly Rule[] {
  const rules = branchesAt(schema, "allOf").map((branch) => on.here(branch, region));
  const any = branchesAt(schema, "anyOf");
  if (any.length > 0) rules.push(compileAny(schema, any, on, region));
  const one = branchesAt(schema, "oneOf");
  if (one.length > 0) rules.push(compileOne(schema, one, on, region));
  const not = schema["not"];
  if (not !== undefined) rules.push(compileNot(schema, on.here(not as JsonSchema, region)));
  return rules;
}

function oneOfValues(values: readonly Json[], schema: JsonObject, keyword: string): Rule {
  const check = checkValues(values);
  return {
    check,
    explain: (value, path, report) => {
      if (!check(value)) add(report, notAllowed(value, path, values, partOf(schema, keyword)));
    },
  };
}

function checkValues(values: readonly Json[]): Rule["check"] {
  const plain: ReadonlySet<Json> = new Set(
    values.filter((value) => typeof value !== "object" || value === null),
  );
  if (plain.size < values.length) return (value) => values.some((allowed) => deepEqual(allowed, value));
  const list: readonly Json[] = [...plain];
  const [only] = list;
  if (list.length === 1) return (value) => value === only;
  if (list.length <= 8) return (value) => list.includes(value);
  return (value) => plain.has(value);
}

function compileAny(schema: JsonObject, list: readonly JsonSchema[], on: Compilation, region: number): Rule {
  const rules = list.map((branch) => on.here(branch, region));
  const checks = rules.map((rule) => rule.check);
  const check = (value: Json): boolean => {
    for (const test of checks) {
      if (test(value)) return true;
    }
    return false;
  };
  const branches = lazyBranches(list, rules, on);
  return {
    check,
    explain: (value, path, report) => {
      if (!check(value)) explainUnion(branches(), schema, value, { path, report });
    },
  };
}

function compileOne(schema: JsonObject, list: readonly JsonSchema[], on: Compilation, region: number): Rule {
  const rules = list.map((branch) => on.here(branch, region));
  const count = (value: Json): number => {
    let fitting = 0;
    for (const rule of rules) {
      if (rule.check(value)) fitting += 1;
    }
    return fitting;
  };
  const branches = lazyBranches(list, rules, on);
  return {
    check: (value) => count(value) === 1,
    explain: (value, path, report) => {
      const fitting = count(value);
      if (fitting === 0) explainUnion(branches(), schema, value, { path, report });
      if (fitting < 2) return;
      const expected = `a value that fits exactly one of ${list.length} forms, not ${fitting}`;
      add(report, wrongValue(value, path, expected, partOf(schema, "oneOf")));
    },
  };
}

function compileNot(schema: JsonObject, inner: Rule): Rule {
  return {
    check: (value) => !inner.check(value),
    explain: (value, path, report) => {
      if (inner.check(value)) add(report, unmet("not", schema, value, path));
    },
  };
}

/** The facts about branches are only needed to explain. */
function lazyBranches(
  list: readonly JsonSchema[],
  rules: readonly Rule[],
  on: Compilation,
): () => readonly Branch[] {
  let made: readonly Branch[] | undefined;
  return () => {
    made ??= rules.map((rule, index) => ({
      ...factsOf(list[index] ?? true, (reference) => on.resolve(reference)),
      explain: rule.explain,
    }));
    return made;
  };
}

function branchesAt(schema: JsonObject, keyword: string): readonly JsonSchema[] {
  const list = schema[keyword];
  return Array.isArray(list) ? (list as readonly JsonSchema[]) : [];
}

/** Compiles the keywords about lists; undefined if the schema has none. `other` is the result for a value that is not a list. */
export function compileList(
  schema: JsonObject,
  on: Compilation,
  { acceptsOthers: other }: { readonly acceptsOthers: boolean },
): Rule | undefined {
  const least = numberAt(schema, "minItems") ?? 0;
  const most = numberAt(schema, "maxItems") ?? Infinity;
  const unique = schema["uniqueItems"];
  const item = compileItems(schema, on);
  if (least === 0 && most === Infinity && unique !== true && item === undefined) return undefined;

  const checkItem = item?.check;
  const check = (value: Json): boolean => {
    if (!Array.isArray(value)) return other;
    const items: readonly Json[] = value;
    if (items.length < least || items.length > most) return false;
    if (checkItem !== undefined) {
      for (let index = 0; index < items.length; index += 1) {
        if (!checkItem(items[index] as Json)) return false;
      }
    }
    return unique !== true || areUnique(items);
  };
  const explain: Rule["explain"] = (value, path, report) => {
    if (!Array.isArray(value)) return;
    const fail = (keyword: string): void => add(report, unmet(keyword, schema, value, path));
    if (value.length < least) fail("minItems");
    if (value.length > most) fail("maxItems");
    for (const [index, each] of (value as readonly Json[]).entries()) {
      if (item !== undefined && !item.check(each)) item.explain(each, below(path, index), report);
    }
    if (unique === true && !areUnique(value)) fail("uniqueItems");
  };
  return { check, explain };
}

function compileItems(schema: JsonObject, on: Compilation): Rule | undefined {
  const items = schema["items"];
  return isObject(items) || items === false ? on.inner(items) : undefined;
}
