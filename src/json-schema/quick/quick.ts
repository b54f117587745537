import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { add, createReport, wrongType, wrongValue } from "../problems/findings.ts";
import {
  ANY,
  INTEGER,
  LIST,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  typeOf,
  typesFromKeyword,
} from "../shared/json-value.ts";
import { createPatterns, type Patterns } from "../patterns/pattern.ts";
import { isWellFormed } from "./keyword-forms.ts";
import { resolveLocal } from "../shared/pointer.ts";
import { compileBranches, compileValues, compileList } from "./quick-choice.ts";
import { compileObject } from "./quick-object.ts";
import { compileNumber, compileString } from "./quick-scalar.ts";
import { hasCycle } from "../shared/cycle.ts";
import type { Compilation, Dialect, Pattern, Rule } from "../shared/types.ts";

/** A rule, or the reason why there is none: the schema needs the full validator (`leave`), or cannot be used (`unusable`). */
export type Quick = { readonly rule: Rule } | { readonly leave: string } | { readonly unusable: string };

export interface QuickOptions {
  readonly dialect: Dialect;
  /** Assert `format`. */
  readonly formats: boolean;
  /** The document of references; default: the schema itself. */
  readonly document?: JsonSchema;
}

/** Compiles the keywords that real tools use to closures, in microseconds. */
export function compileQuick(schema: JsonSchema, options: QuickOptions): Quick {
  const compiler = new Compiler(options.document ?? schema, options);
  const rule = compiler.start(schema);
  if (compiler.unusable !== undefined) return { unusable: compiler.unusable };
  if (compiler.foreign !== undefined) return { leave: compiler.foreign };
  return { rule };
}

/** Keywords that are left to the full validator. A keyword that neither validator knows is an annotation. */
const FOREIGN = new Set(
  [
    "$anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary if then",
    "else contains minContains maxContains prefixItems additionalItems dependencies",
    "dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties",
  ].flatMap((line) => line.split(" ")),
);

/** Far more references than a real check follows; a schema that multiplies them would never end. */
const MAX_STEPS = 1_000_000;

/** The target of references; `rule` is set once it is compiled. */
interface Slot {
  readonly region: number;
  rule: Rule | undefined;
}

class Compiler implements Compilation {
  readonly assertFormats: boolean;
  foreign: string | undefined;
  unusable: string | undefined;
  readonly #document: JsonSchema;
  readonly #dialect: Dialect;
  readonly #slots = new Map<string, Slot>();
  /** Which regions check the same value through a reference: a cycle would never end. */
  readonly #edges = new Map<number, number[]>();
  #patterns: Patterns | undefined;
  #regions = 0;
  #steps = 0;

  constructor(document: JsonSchema, { dialect, formats }: QuickOptions) {
    this.#document = document;
    this.#dialect = dialect;
    this.assertFormats = formats;
  }

  start(schema: JsonSchema): Rule {
    const region = this.#newRegion();
    if (schema === this.#document) this.#slots.set("#", { region, rule: undefined });
    const rule = this.here(schema, region);
    const root = this.#slots.get("#");
    if (root !== undefined) root.rule ??= rule;
    if (hasCycle(this.#edges)) this.unusable ??= "it refers to itself without end";
    return this.#edges.size === 0 && this.#patterns === undefined ? rule : this.#limited(rule);
  }

  /** Starts the limits of a check: how many references it follows, how long its patterns take. */
  #limited(rule: Rule): Rule {
    return {
      check: (value) => {
        this.#steps = 0;
        return this.#patterns === undefined
          ? rule.check(value)
          : this.#patterns.limit(() => rule.check(value));
      },
      explain: (value, path, report) => {
        if (this.#patterns === undefined) return rule.explain(value, path, report);
        const { findings, total } = this.#patterns.limit(() => {
          const own = createReport();
          rule.explain(value, path, own);
          return own;
        });
        report.findings.push(...findings);
        report.total += total;
      },
    };
  }

  inner(schema: JsonSchema): Rule {
    return this.here(schema, this.#newRegion());
  }

  here(schema: JsonSchema, region: number): Rule {
    if (schema === true) return ANYTHING;
    if (schema === false) return NOTHING;
    if (!isObject(schema)) {
      this.leave("a schema that is neither object nor boolean");
      return ANYTHING;
    }
    this.#leaveForeign(schema);
    const reference = schema["$ref"];
    const target = typeof reference === "string" ? this.#reference(reference, region) : undefined;
    if (target !== undefined && this.#dialect === "draft-07") return target;
    const types = typesOf(schema);
    const rules = [
      ...compileTyped(schema, this, types),
      ...compileValues(schema),
      ...compileBranches(schema, this, region),
    ];
    if (target !== undefined) rules.push(target);
    return together(rules, types, schema);
  }

  #reference(reference: string, region: number): Rule {
    const slot = this.#slots.get(reference) ?? this.#open(reference);
    if (slot === undefined) {
      this.leave(`$ref ${reference}`);
      return ANYTHING;
    }
    const edges = this.#edges.get(region) ?? [];
    this.#edges.set(region, [...edges, slot.region]);
    return {
      check: (value) => {
        this.#step();
        return slot.rule?.check(value) ?? false;
      },
      explain: (value, path, report) => {
        this.#step();
        slot.rule?.explain(value, path, report);
      },
    };
  }

  resolve(reference: string): JsonSchema | undefined {
    return resolveLocal(this.#document, reference);
  }

  leave(keyword: string): void {
    this.foreign ??= keyword;
  }

  pattern(source: string): Pattern {
    this.#patterns ??= createPatterns();
    const pattern = this.#patterns.compile(source);
    if (!("unusable" in pattern)) return pattern;
    this.unusable ??= pattern.unusable;
    return /^/;
  }

  #open(reference: string): Slot | undefined {
    const target = this.resolve(reference);
    if (target === undefined) return undefined;
    const slot: Slot = { region: this.#newRegion(), rule: undefined };
    this.#slots.set(reference, slot);
    slot.rule = this.here(target, slot.region);
    return slot;
  }

  #leaveForeign(schema: JsonObject): void {
    for (const keyword of Object.keys(schema)) {
      if (FOREIGN.has(keyword) || !isWellFormed(keyword, schema[keyword] as Json)) this.leave(keyword);
    }
    // An `$id` changes what references below it mean, except that of the whole document.
    const id = schema["$id"];
    if (typeof id === "string" && (schema !== this.#document || id.includes("#"))) this.leave("$id");
  }

  #newRegion(): number {
    this.#regions += 1;
    return this.#regions;
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new RangeError("the check follows too many references");
  }
}

/** `nullable` is OpenAPI's, and only has a meaning beside a type. */
export function typesOf(schema: JsonObject): number {
  const types = typesFromKeyword(schema["type"]) ?? ANY;
  return schema["nullable"] === true ? types | NULL : types;
}

export const ANYTHING: Rule = { check: () => true, explain: () => {} };
export const NOTHING: Rule = {
  check: () => false,
  explain: (value, path, report) => add(report, wrongValue(value, path, "nothing here", false)),
};

/** Compiles the rules for the types; the rule of a single type also refuses all others. */
export function compileTyped(schema: JsonObject, on: Compilation, types: number): readonly Rule[] {
  if (types === STRING) return [compileString(schema, on, { acceptsOthers: false }) ?? ofType(types)];
  if (types === OBJECT) return [compileObject(schema, on, { acceptsOthers: false }) ?? ofType(types)];
  if (types === LIST) return [compileList(schema, on, { acceptsOthers: false }) ?? ofType(types)];
  if ((types & ~NUMBER) === 0) return [compileNumber(schema, on, types) ?? ofType(types)];
  const rules: (Rule | undefined)[] = [types === ANY ? undefined : ofType(types)];
  if (types & NUMBER) rules.push(compileNumber(schema, on, types));
  if (types & STRING) rules.push(compileString(schema, on, { acceptsOthers: true }));
  if (types & LIST) rules.push(compileList(schema, on, { acceptsOthers: true }));
  if (types & OBJECT) rules.push(compileObject(schema, on, { acceptsOthers: true }));
  return rules.filter((rule) => rule !== undefined);
}

/** Wrong types are reported once, by `together`. */
function ofType(types: number): Rule {
  return { check: checkType(types), explain: () => {} };
}

function checkType(types: number): Rule["check"] {
  switch (types) {
    case STRING:
      return (value) => typeof value === "string";
    case NUMBER:
      return (value) => typeof value === "number" && Number.isFinite(value);
    case INTEGER:
      return (value) => Number.isInteger(value);
    default:
      return (value) => (typeOf(value) & types) !== 0;
  }
}

/** Joins the rules of one schema; a wrong type is reported alone. */
export function together(rules: readonly Rule[], types: number, schema: JsonObject): Rule {
  if (rules.length === 0) return ANYTHING;
  return {
    check: checkAll(rules.map((rule) => rule.check)),
    explain: (value, path, report) => {
      if ((typeOf(value) & types) === 0) return add(report, wrongType(value, path, types, schema));
      for (const rule of rules) rule.explain(value, path, report);
    },
  };
}

function checkAll(checks: readonly Rule["check"][]): Rule["check"] {
  const [first, second] = checks;
  if (checks.length === 1 && first !== undefined) return first;
  if (checks.length === 2 && first !== undefined && second !== undefined)
    return (value) => first(value) && second(value);
  return (value) => {
    for (const check of checks) {
      if (!check(value)) return false;
    }
    return true;
  };
}
