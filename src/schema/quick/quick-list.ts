import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { areUnique } from "../shared/json-value.ts";
import { add, partOf, wrongValue } from "../problems/findings.ts";
import { below } from "../shared/pointer.ts";
import { numberAt } from "./keyword-forms.ts";
import type { Compilation, Rule } from "../shared/types.ts";

/** Compiles the keywords about lists; undefined if the schema has none. `other` is the result for a value that is not a list. */
export function compileList(schema: JsonObject, on: Compilation, other: boolean): Rule | undefined {
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
    const fail = (expected: string, keyword: string): void =>
      add(report, wrongValue(value, path, expected, partOf(schema, keyword)));
    if (value.length < least) fail(`at least ${least} items`, "minItems");
    if (value.length > most) fail(`at most ${most} items`, "maxItems");
    for (const [index, each] of (value as readonly Json[]).entries()) {
      if (item !== undefined && !item.check(each)) item.explain(each, below(path, index), report);
    }
    if (unique === true && !areUnique(value)) fail("items that all differ", "uniqueItems");
  };
  return { check, explain };
}

function compileItems(schema: JsonObject, on: Compilation): Rule | undefined {
  const items = schema["items"];
  return isObject(items) || items === false ? on.inner(items) : undefined;
}
