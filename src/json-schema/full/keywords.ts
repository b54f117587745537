import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { counted } from "../../util/text/words.ts";
import { add, missing, partOf, unmet, wrongValue } from "../problems/findings.ts";
import { numberAt } from "../quick/keyword-forms.ts";
import { below, childOf } from "../shared/pointer.ts";
import type { Compilation, Rule } from "../shared/types.ts";
import { dependentsOf, listsOf } from "./forms.ts";
import type { Part } from "./types.ts";

/** Compiles the keywords that the quick validator leaves, but for references and those about what nothing evaluates. */
export function compileMore(schema: JsonObject, on: Part, region: number): readonly Rule[] {
  return [
    compileCondition(schema, on, region),
    compileFirst(schema, on),
    compileContains(schema, on),
    ...compileDependents(schema, on, region),
  ].filter((rule) => rule !== undefined);
}

function compileCondition(schema: JsonObject, on: Compilation, region: number): Rule | undefined {
  const [condition, positive, negative] = [schema["if"], schema["then"], schema["else"]];
  if (condition === undefined || (positive === undefined && negative === undefined)) return undefined;
  const [test, yes, no] = [condition, positive ?? true, negative ?? true].map((part) =>
    on.here(part as JsonSchema, region),
  ) as [Rule, Rule, Rule];
  const chosen = (value: Json): Rule => (test.check(value) ? yes : no);
  return {
    check: (value) => chosen(value).check(value),
    explain: (value, path, report) => {
      chosen(value).explain(value, path, report);
    },
  };
}

function compileFirst(schema: JsonObject, on: Part): Rule | undefined {
  const { first, rest } = listsOf(schema, on.home.dialect);
  if (first.length === 0) return undefined;
  const rules = first.map((part) => on.inner(part));
  const others = rest === undefined || rest === true ? undefined : on.inner(rest);
  const ruleAt = (index: number): Rule | undefined => rules[index] ?? others;
  return {
    check: (value) =>
      !Array.isArray(value) ||
      (value as readonly Json[]).every((item, index) => ruleAt(index)?.check(item) ?? true),
    explain: (value, path, report) => {
      if (!Array.isArray(value)) return;
      const isTooLong = rest === false && value.length > first.length;
      const expected = `at most ${counted(first.length, "item")}`;
      if (isTooLong) add(report, wrongValue(value, path, expected, partOf(schema, "items")));
      const items = (isTooLong ? value.slice(0, first.length) : value) as readonly Json[];
      for (const [index, item] of items.entries()) ruleAt(index)?.explain(item, below(path, index), report);
    },
  };
}

function compileContains(schema: JsonObject, on: Part): Rule | undefined {
  const contains = schema["contains"];
  if (contains === undefined) return undefined;
  const rule = on.inner(contains as JsonSchema);
  const isOld = on.home.dialect === "draft-07";
  const least = (isOld ? undefined : numberAt(schema, "minContains")) ?? 1;
  const most = (isOld ? undefined : numberAt(schema, "maxContains")) ?? Infinity;
  const check: Rule["check"] = (value) => {
    if (!Array.isArray(value)) return true;
    const count = (value as readonly Json[]).filter((item) => rule.check(item)).length;
    return count >= least && count <= most;
  };
  return {
    check,
    explain: (value, path, report) => {
      if (!check(value)) add(report, unmet("contains", schema, value, path));
    },
  };
}

function compileDependents(schema: JsonObject, on: Part, region: number): readonly Rule[] {
  return dependentsOf(schema, on.home.dialect).map(([key, demand]) => {
    const rule = Array.isArray(demand)
      ? withNames(schema, demand as readonly string[])
      : on.here(demand as JsonSchema, region);
    return {
      check: (value) => childOf(isObject(value) ? value : {}, key) === undefined || rule.check(value),
      explain: (value, path, report) => {
        if (childOf(isObject(value) ? value : {}, key) !== undefined) rule.explain(value, path, report);
      },
    };
  });
}

function withNames(schema: JsonObject, names: readonly string[]): Rule {
  const absent = (value: Json): readonly string[] =>
    names.filter((name) => childOf(value, name) === undefined);
  return {
    check: (value) => absent(value).length === 0,
    explain: (value, path, report) => {
      for (const name of absent(value))
        add(
          report,
          missing(below(path, name), childOf(schema["properties"], name) as JsonSchema | undefined),
        );
    },
  };
}
