import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Report } from "./finding.ts";
import { add, missing, partOf, unknownProperty, wrongValue } from "./finding.ts";
import { below } from "./pointer.ts";
import { countAt } from "./quick-scalar.ts";
import type { Compilation, PatternTest, Rule } from "./rule.ts";

/** The keywords about objects; undefined where the schema has none. `other` is the answer for what is not an object. */
export function compileObject(schema: JsonObject, on: Compilation, other: boolean): Rule | undefined {
  const shape = shapeOf(schema, on);
  if (shape.isEmpty) return undefined;
  const everyKey = shape.looksAtKeys ? checkEveryKey(shape) : undefined;
  return { check: checkObject(shape, other, everyKey), explain: explainObject(schema, shape) };
}

interface Shape {
  readonly names: readonly string[];
  readonly rules: readonly Rule[];
  /** Beside each name: whether it must be there. */
  readonly required: readonly boolean[];
  readonly schemas: readonly (JsonSchema | undefined)[];
  readonly patterns: readonly { readonly pattern: PatternTest; readonly rule: Rule }[];
  /** For keys that nothing else covers; undefined allows them, false forbids them. */
  readonly rest: Rule | false | undefined;
  readonly keyRule: Rule | undefined;
  readonly least: number;
  readonly most: number;
  readonly isClosed: boolean;
  readonly looksAtKeys: boolean;
  readonly isEmpty: boolean;
}

function shapeOf(schema: JsonObject, on: Compilation): Shape {
  const properties = schemasAt(schema, "properties", on);
  const required = requiredOf(schema, on);
  const names = [...new Set([...properties.keys(), ...required])];
  const rules = names.map((name) => {
    const property = properties.get(name);
    return property === undefined ? ACCEPT : on.inner(property);
  });
  const patterns = [...schemasAt(schema, "patternProperties", on)].map(([source, inner]) => ({
    pattern: on.pattern(source),
    rule: on.inner(inner),
  }));
  const rest = restOf(schema, on);
  const keyRule = innerAt(schema, "propertyNames", on);
  const least = countAt(schema, "minProperties", on) ?? 0;
  const most = countAt(schema, "maxProperties", on) ?? Infinity;
  // Required names that are not declared must still not pass a closed object.
  const isClosed = rest === false && patterns.length === 0 && names.length === properties.size;
  const counts = least > 0 || most < Infinity;
  const looksAtKeys =
    counts || patterns.length > 0 || keyRule !== undefined || (rest !== undefined && !isClosed);
  return {
    names,
    rules,
    required: names.map((name) => required.has(name)),
    schemas: names.map((name) => properties.get(name)),
    patterns,
    rest,
    keyRule,
    least,
    most,
    isClosed,
    looksAtKeys,
    isEmpty: names.length === 0 && !looksAtKeys && !isClosed,
  };
}

const ACCEPT: Rule = { check: () => true, explain: () => {} };

function checkObject(shape: Shape, other: boolean, everyKey: EveryKey | undefined): Rule["check"] {
  const { names, required, isClosed } = shape;
  const checks = shape.rules.map((rule) => rule.check);
  const count = names.length;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return other;
    const object = value as JsonObject;
    let present = 0;
    for (let index = 0; index < count; index += 1) {
      const name = names[index] as string;
      if (!Object.hasOwn(object, name)) {
        if (required[index] === true) return false;
        continue;
      }
      present += 1;
      if (!(checks[index] as Rule["check"])(object[name] as Json)) return false;
    }
    // Counting is enough: every key beyond the declared ones that are there is an unknown one.
    if (isClosed && countKeys(object) !== present) return false;
    return everyKey === undefined || everyKey(object);
  };
}

function countKeys(object: JsonObject): number {
  let count = 0;
  for (const key in object) {
    if (Object.hasOwn(object, key)) count += 1;
  }
  return count;
}

type EveryKey = (object: JsonObject) => boolean;

function checkEveryKey(shape: Shape): EveryKey {
  const { patterns, rest, keyRule, least, most } = shape;
  const declared = new Set(shape.names.filter((_, index) => shape.schemas[index] !== undefined));
  return (object) => {
    const keys = Object.keys(object);
    if (keys.length < least || keys.length > most) return false;
    for (const key of keys) {
      if (keyRule !== undefined && !keyRule.check(key)) return false;
      const value = object[key] as Json;
      let covered = declared.has(key);
      for (const { pattern, rule } of patterns) {
        if (!pattern.test(key)) continue;
        covered = true;
        if (!rule.check(value)) return false;
      }
      if (covered || rest === undefined) continue;
      if (rest === false || !rest.check(value)) return false;
    }
    return true;
  };
}

function explainObject(schema: JsonObject, shape: Shape): Rule["explain"] {
  return (value, path, report) => {
    if (!isObject(value)) return;
    for (const [index, name] of shape.names.entries()) {
      const rule = shape.rules[index];
      const isRequired = shape.required[index] === true;
      if (!Object.hasOwn(value, name)) {
        if (isRequired) add(report, missing(below(path, name), shape.schemas[index]));
        continue;
      }
      const field = value[name] as Json;
      if (rule?.check(field) !== false) continue;
      const before = report.findings.length;
      rule.explain(field, below(path, name), report);
      if (!isRequired) markOptional(report, before, below(path, name));
    }
    explainKeys(value, path, shape, report);
    const count = Object.keys(value).length;
    const fail = (expected: string, keyword: string): void =>
      add(report, wrongValue(value, path, expected, partOf(schema, keyword)));
    if (count < shape.least) fail(`at least ${shape.least} properties`, "minProperties");
    if (count > shape.most) fail(`at most ${shape.most} properties`, "maxProperties");
  };
}

function markOptional(report: Report, from: number, path: string): void {
  for (const finding of report.findings.slice(from)) {
    if (finding.problem.path === path) finding.optional = true;
  }
}

function explainKeys(value: JsonObject, path: string, shape: Shape, report: Report): void {
  const { patterns, rest, keyRule } = shape;
  const known = shape.names.filter((_, index) => shape.schemas[index] !== undefined);
  const free = known.filter((name) => !Object.hasOwn(value, name));
  for (const key of Object.keys(value)) {
    if (keyRule !== undefined && !keyRule.check(key)) keyRule.explain(key, below(path, key), report);
    const child = value[key] as Json;
    const matching = patterns.filter(({ pattern }) => pattern.test(key));
    for (const { rule } of matching) rule.explain(child, below(path, key), report);
    if (rest === undefined || matching.length > 0 || known.includes(key)) continue;
    if (rest === false) add(report, unknownProperty(below(path, key), key, free.length > 0 ? free : known));
    if (rest !== false) rest.explain(child, below(path, key), report);
  }
}

function schemasAt(schema: JsonObject, keyword: string, on: Compilation): ReadonlyMap<string, JsonSchema> {
  const found = schema[keyword];
  if (found === undefined) return new Map();
  if (!isObject(found)) {
    on.leave(keyword);
    return new Map();
  }
  return new Map(Object.entries(found) as [string, JsonSchema][]);
}

function requiredOf(schema: JsonObject, on: Compilation): ReadonlySet<string> {
  const required = schema["required"];
  if (required === undefined) return new Set();
  if (Array.isArray(required) && required.every((name) => typeof name === "string")) return new Set(required);
  on.leave("required");
  return new Set();
}

function restOf(schema: JsonObject, on: Compilation): Rule | false | undefined {
  const rest = schema["additionalProperties"];
  if (rest === false) return false;
  if (isObject(rest) && Object.keys(rest).length === 0) return undefined;
  return innerAt(schema, "additionalProperties", on);
}

function innerAt(schema: JsonObject, keyword: string, on: Compilation): Rule | undefined {
  const inner = schema[keyword];
  return inner === undefined || inner === true ? undefined : on.inner(inner as JsonSchema);
}
