import { isObject, type Json, type JsonSchema } from "../core/json.ts";
import type * as Full from "./full/full.ts";
import { loadFormats } from "./patterns/formats.ts";
import { compileDefaults } from "./problems/fill-defaults.ts";
import { createReport } from "./problems/findings.ts";
import { dialectOf } from "./shared/dialect.ts";
import { resolveLocal } from "./shared/pointer.ts";
import { compileQuick } from "./quick/quick.ts";
import type { Checker, Dialect, Fill, Rule, ValidatorOptions } from "./shared/types.ts";

let full: typeof Full | undefined;

/** Loads the validator for any schema: many programs never need it. */
export async function loadFull(): Promise<void> {
  await loadFormats();
  full ??= await import("./full/full.ts");
}

/**
 * Compiles a schema: with the quick validator if it has every keyword, else with the full one; returns undefined if that
 * is not loaded. Never throws.
 */
export function compileSchema(schema: JsonSchema, options: ValidatorOptions): Checker | undefined {
  const fault = guard(schema);
  if (fault !== undefined) return unusable(fault);
  try {
    return compile(schema, options);
  } catch (error) {
    if (error instanceof RangeError) return unusable("its references are nested too deeply");
    throw error;
  }
}

function compile(schema: JsonSchema, options: ValidatorOptions): Checker | undefined {
  const formats = options.formats !== false;
  const dialect = dialectOf(schema);
  const quick = dialect === undefined ? { leave: "$schema" } : compileQuick(schema, { dialect, formats });
  if ("unusable" in quick) return unusable(quick.unusable);
  const more = { dialects: dialectsOf(schema, dialect), formats, documents: options.documents ?? {} };
  const fill = options.defaults === false ? undefined : defaultsOf(schema, dialect, more);
  if ("rule" in quick) return fromRule(quick.rule, fill);
  const compiled = full?.compileFull(schema, { ...more, fill });
  return typeof compiled === "string" ? unusable(compiled) : compiled;
}

/** Real schemas reach 82 KB and a depth of some 30. */
const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 200;

/** Returns why an untrusted schema is refused unread; undefined if it may be read. Also ends on a value that contains itself. */
function guard(schema: Json): string | undefined {
  const budget = { characters: MAX_CHARACTERS, tooDeep: false };
  spend(schema, MAX_DEPTH, budget);
  if (budget.tooDeep) return `it is nested deeper than ${MAX_DEPTH} levels`;
  return budget.characters < 0 ? `it is longer than ${MAX_CHARACTERS} characters` : undefined;
}

function spend(value: Json, depth: number, budget: { characters: number; tooDeep: boolean }): void {
  budget.characters -= typeof value === "string" ? value.length + 2 : 2;
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) budget.tooDeep = true;
  if (budget.tooDeep || budget.characters < 0) return;
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    budget.characters -= isList ? 1 : key.length + 4;
    spend((value as Readonly<Record<string, Json>>)[key] as Json, depth - 1, budget);
  }
}

/** A schema without `$schema` may be draft-07, which has list-form `items` and `dependencies`. */
function dialectsOf(schema: JsonSchema, dialect: Dialect | undefined): readonly Dialect[] {
  const isNamed = isObject(schema) && schema["$schema"] !== undefined;
  return isNamed ? [dialect ?? "2020-12"] : ["2020-12", "draft-07"];
}

/** Returns a checker that accepts nothing. */
function unusable(reason: string): Checker {
  return { unusable: reason, fill: undefined, check: () => false, explain: () => [] };
}

function fromRule(rule: Rule, fill: Fill | undefined): Checker {
  const explain: Checker["explain"] = (value) => {
    const report = createReport();
    rule.explain(value, "", report);
    return report.findings;
  };
  return { unusable: undefined, fill, check: rule.check, explain };
}

type PartOptions = Parameters<typeof Full.compileParts>[1];

function defaultsOf(
  schema: JsonSchema,
  dialect: Dialect | undefined,
  options: PartOptions,
): Fill | undefined {
  let parts: ReturnType<typeof Full.compileParts> | undefined;
  const fits = (value: Json, part: JsonSchema): boolean => {
    const quick = compileQuick(part, {
      dialect: dialect ?? "2020-12",
      formats: options.formats,
      document: schema,
    });
    if ("rule" in quick) return quick.rule.check(value);
    if (isObject(schema)) parts ??= full?.compileParts(schema, options);
    return parts?.(value, part) ?? false;
  };
  return compileDefaults(schema, { resolve: (reference) => resolveLocal(schema, reference), fits });
}
