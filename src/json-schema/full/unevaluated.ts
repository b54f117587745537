import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { add, listNames, unknownProperty, unmet } from "../problems/findings.ts";
import { below, childOf } from "../shared/pointer.ts";
import type { Finding, Rule } from "../shared/types.ts";
import { dependentsOf, listsOf } from "./forms.ts";
import type { Collect, Evaluated, Part } from "./types.ts";

/** Compiles `unevaluatedProperties` and `unevaluatedItems`, after all other keywords of their schema. */
export function compileUnevaluated(schema: JsonObject, on: Part): readonly Rule[] {
  if (on.home.dialect === "draft-07") return [];
  return (["unevaluatedProperties", "unevaluatedItems"] as const).flatMap((keyword) => {
    const inner = schema[keyword];
    if (inner === undefined || inner === true) return [];
    return [compileOne(schema, keyword, on, on.inner(inner as JsonSchema))];
  });
}

type Keyword = "unevaluatedProperties" | "unevaluatedItems";

function compileOne(schema: JsonObject, keyword: Keyword, on: Part, rule: Rule): Rule {
  const { [keyword]: _, ...others } = schema;
  const collect = collectorOf(others, on);
  const applies = keyword === "unevaluatedItems" ? Array.isArray : isObject;
  const restOf = (value: Json): readonly (readonly [string | number, Json])[] => {
    if (!applies(value)) return [];
    const evaluated: Evaluated = { isAll: false, keys: new Set() };
    collect(value, evaluated);
    if (evaluated.isAll) return [];
    const all = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value);
    return all.filter(([key, child]) => child !== undefined && !evaluated.keys.has(key));
  };
  const isClosed = schema[keyword] === false;
  return {
    check: (value) => restOf(value).every(([, child]) => rule.check(child)),
    explain: (value, path, report) => {
      const rest = restOf(value);
      if (!isClosed) for (const [key, child] of rest) rule.explain(child, below(path, key), report);
      else if (Array.isArray(value) && rest.length > 0) add(report, unmet(keyword, schema, value, path));
      else if (isObject(value))
        for (const [key] of rest) add(report, unknownOf(schema, value, below(path, key), String(key)));
    },
  };
}

function unknownOf(schema: JsonObject, value: JsonObject, path: string, name: string): Finding {
  const known = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const free = known.filter((other) => childOf(value, other) === undefined);
  return unknownProperty(path, listNames(known), name, free);
}

/** Returns what collects the keys and items that a schema evaluates in a value that fits it. */
function collectorOf(schema: Json | undefined, outer: Part): Collect {
  if (!isObject(schema)) return NOTHING;
  const on = outer.partOf(schema);
  const known = on.collectors.get(schema);
  if (known !== undefined) return known;
  const collectors = [collectProperties(schema, on), collectItems(schema, on), ...inPlace(schema, on)];
  const collect: Collect = (value, into) => {
    for (const each of collectors) if (!into.isAll) each(value, into);
  };
  on.collectors.set(schema, collect);
  return on === outer
    ? collect
    : (value, into) => {
        on.within(() => {
          collect(value, into);
        });
      };
}

const NOTHING: Collect = () => undefined;

/** Returns the collectors of the schemas that a schema applies to the same value. */
function inPlace(schema: JsonObject, on: Part): readonly Collect[] {
  const listAt = (keyword: string): readonly Json[] =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as readonly Json[]) : [];
  return [
    ...listAt("allOf").map((part) => collectorOf(part, on)),
    ...[...listAt("anyOf"), ...listAt("oneOf")].map((part) => ifItFits(part, on)),
    collectCondition(schema, on),
    ...dependentsOf(schema, on.home.dialect).map(([key, demand]): Collect => {
      const collect = collectorOf(demand, on);
      return (value, into) => {
        if (isObject(value) && childOf(value, key) !== undefined) collect(value, into);
      };
    }),
    (value, into) => {
      on.follow(schema, (target, place) => {
        collectorOf(target, place)(value, into);
      });
    },
  ];
}

function ifItFits(schema: Json, on: Part): Collect {
  const [rule, collect] = [on.inner(schema as JsonSchema), collectorOf(schema, on)];
  return (value, into) => {
    if (rule.check(value)) collect(value, into);
  };
}

function collectCondition(schema: JsonObject, on: Part): Collect {
  const condition = schema["if"];
  if (condition === undefined) return NOTHING;
  const rule = on.inner(condition as JsonSchema);
  const [own, yes, no] = [condition, schema["then"], schema["else"]].map((part) => collectorOf(part, on));
  return (value, into) => {
    const isMet = rule.check(value);
    if (isMet) own?.(value, into);
    (isMet ? yes : no)?.(value, into);
  };
}

function collectProperties(schema: JsonObject, on: Part): Collect {
  const names = Object.keys(isObject(schema["properties"]) ? schema["properties"] : {});
  const patterns = Object.keys(isObject(schema["patternProperties"]) ? schema["patternProperties"] : {}).map(
    (source) => on.pattern(source),
  );
  const hasRest = ["additionalProperties", "unevaluatedProperties"].some(
    (keyword) => schema[keyword] !== undefined,
  );
  return (value, into) => {
    if (!isObject(value)) return;
    into.isAll ||= hasRest;
    for (const name of names) into.keys.add(name);
    if (patterns.length === 0) return;
    for (const key of Object.keys(value))
      if (patterns.some((pattern) => pattern.test(key))) into.keys.add(key);
  };
}

function collectItems(schema: JsonObject, on: Part): Collect {
  const { first, rest } = listsOf(schema, on.home.dialect);
  const hasRest = rest !== undefined || schema["unevaluatedItems"] !== undefined;
  const contains = on.home.dialect === "2020-12" ? schema["contains"] : undefined;
  const rule = contains === undefined ? undefined : on.inner(contains as JsonSchema);
  return (value, into) => {
    if (!Array.isArray(value)) return;
    into.isAll ||= hasRest;
    for (const index of first.keys()) into.keys.add(index);
    if (rule === undefined) return;
    for (const [index, item] of (value as readonly Json[]).entries())
      if (rule.check(item)) into.keys.add(index);
  };
}
