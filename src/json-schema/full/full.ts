import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";
import { createPatterns, type Patterns } from "../patterns/pattern.ts";
import { createReport } from "../problems/findings.ts";
import { compileBranches, compileValues } from "../quick/quick-choice.ts";
import { ANYTHING, compileTyped, NOTHING, together, typesOf } from "../quick/quick.ts";
import { hasCycle } from "../shared/cycle.ts";
import type { Checker, Dialect, Fill, Finding, Rule } from "../shared/types.ts";
import { listsOf, TYPES, withoutAssertions } from "./forms.ts";
import { compileMore } from "./keywords.ts";
import { metaSchemaOf } from "./meta-schemas.ts";
import { nameOf, referencesOf, type Reference } from "./references.ts";
import { addDocument, createResources, findTarget, homeOf, type Resources } from "./resources.ts";
import { Scope, type Slot } from "./scope.ts";
import type { Part, Resource, Target } from "./types.ts";
import { compileUnevaluated } from "./unevaluated.ts";

interface FullOptions {
  /** The editions of which the schema may be one; the first is meant. */
  readonly dialects: readonly Dialect[];
  readonly formats: boolean;
  readonly documents: JsonObject;
  readonly fill: Fill | undefined;
}

/** Compiles any schema; returns a text if it cannot be compiled. Throws only a RangeError, if references are nested too deeply. */
export function compileFull(schema: JsonSchema, options: FullOptions): Checker | string {
  let first: string | undefined;
  for (const dialect of options.dialects) {
    const fault = faultOf(dialect, schema);
    // A schema that is one of this edition and cannot be compiled would mean something else in another.
    if (fault === undefined) return compileAs(dialect, schema, options);
    first ??= fault;
  }
  return first ?? "no edition of JSON Schema was named";
}

/**
 * Returns a check of values against parts of a schema, whose references lead to places of the whole. A schema that cannot be
 * compiled admits nothing there.
 */
export function compileParts(
  schema: JsonObject,
  { dialects, ...options }: Omit<FullOptions, "fill">,
): (value: Json, part: JsonSchema) => boolean {
  const dialect = dialects.find((name) => faultOf(name, schema) === undefined);
  if (dialect === undefined) return () => false;
  const patterns = createPatterns();
  const compiler = new Compiler(dialect, { ...options, patterns });
  const ruleOf = compiler.startParts(schema);
  return (value, part) => {
    const rule = ruleOf(part);
    if (compiler.unusable !== undefined) return false;
    return attempt(() => patterns.limit(() => rule.check(value))) ?? false;
  };
}

/** Returns a checker, or why there is none. */
function compileAs(dialect: Dialect, schema: JsonSchema, options: FullOptions): Checker | string {
  const patterns = createPatterns();
  const compiler = new Compiler(dialect, { ...options, patterns });
  const rule = compiler.start(schema);
  if (compiler.unusable !== undefined) return compiler.unusable;
  const endless = neverEnds(rule, compiler);
  if (endless !== undefined) return endless;
  const explain: Checker["explain"] = (value) => patterns.limit(() => findingsOf(rule, value));
  const check: Checker["check"] = (value) => patterns.limit(() => rule.check(value));
  return { unusable: undefined, fill: options.fill, check, explain };
}

function findingsOf(rule: Rule, value: Parameters<Rule["check"]>[0]): readonly Finding[] {
  const report = createReport();
  rule.explain(value, "", report);
  return report.findings;
}

/** A schema that checks the same value forever does so for some plain value too. */
function neverEnds(rule: Rule, compiler: Compiler): string | undefined {
  try {
    for (const probe of [null, true, 0, "", [], {}]) rule.check(probe);
    return undefined;
  } catch {
    return compiler.scope.hasNoStepsLeft()
      ? "its references multiply beyond measure"
      : "it refers to itself without end";
  }
}

/** The rule of a schema of schemas is the same for all schemas. */
const metaRules = new Map<Dialect, Rule>();

function metaRuleOf(dialect: Dialect): Rule {
  const known = metaRules.get(dialect);
  if (known !== undefined) return known;
  const rule = new Compiler(dialect, { formats: false, documents: {}, patterns: createPatterns() }).start(
    metaSchemaOf(dialect),
  );
  metaRules.set(dialect, rule);
  return rule;
}

/** Returns why a schema is not a JSON Schema; undefined if it is one. */
function faultOf(dialect: Dialect, schema: JsonSchema): string | undefined {
  const rule = metaRuleOf(dialect);
  if (!isObject(schema) || rule.check(schema)) return undefined;
  const [problem] = findingsOf(rule, schema).map((finding) => finding.problem);
  const { path = "", got = "" } = problem ?? {};
  const [, name = ""] = (path.endsWith("/type") && /^string "(\w+)"$/.exec(got)) || [];
  const meant = Object.hasOwn(TYPES, name) ? `; did you mean ${TYPES[name]}?` : "";
  return `it is not a JSON Schema: ${path}: expected ${problem?.expected ?? "a schema"}${meant}`;
}

interface CompilerOptions {
  readonly formats: boolean;
  readonly documents: JsonObject;
  readonly patterns: Patterns;
}

const PART = "toolwright:part";

/** Compiles every keyword of every edition to closures, with those of the quick validator where it has them. */
class Compiler {
  unusable: string | undefined;
  readonly #options: CompilerOptions;
  readonly #resources: Resources;
  readonly #parts = new Map<Resource, Part>();
  readonly #slots = new Map<JsonSchema, Slot>();
  /** Which regions check the same value through a reference: a cycle would never end. */
  readonly #edges = new Map<number, number[]>();
  readonly scope = new Scope();
  #regions = 0;

  constructor(dialect: Dialect, options: CompilerOptions) {
    this.#options = options;
    this.#resources = createResources(dialect, options.documents);
  }

  start(schema: JsonSchema): Rule {
    // A schema that is shared by two parts has two places.
    const root = JSON.parse(JSON.stringify(schema)) as JsonSchema;
    const home = addDocument(this.#resources, root);
    return this.#start({ schema: root, home });
  }

  /** Returns a function that compiles a part of a schema. */
  startParts(schema: JsonObject): (part: JsonSchema) => Rule {
    const root = JSON.parse(JSON.stringify(schema)) as Record<string, Json>;
    const home = addDocument(this.#resources, root);
    return (part) => {
      // What stands under a keyword that has no meaning is found by a reference only.
      root[PART] = JSON.parse(JSON.stringify(part)) as Json;
      const target = findTarget(this.#resources, `#/${PART}`, home);
      return target === undefined ? NOTHING : this.#start(target);
    };
  }

  #start(target: Target): Rule {
    const { home } = target;
    const rule = this.#slot(target).rule ?? NOTHING;
    this.scope.compileChoices((anchor, place) => this.#slot({ schema: anchor, home: place }));
    if (hasCycle(this.#edges)) this.unusable ??= "it refers to itself without end";
    return {
      check: (value) => {
        this.scope.begin(home);
        return rule.check(value);
      },
      explain: (value, path, report) => {
        this.scope.begin(home);
        rule.explain(value, path, report);
      },
    };
  }

  #partOf(home: Resource): Part {
    const known = this.#parts.get(home);
    if (known !== undefined) return known;
    const part: Part = {
      home,
      assertFormats: this.#options.formats,
      inner: (schema) => this.#compile(schema, this.#newRegion(), home),
      here: (schema, region) => this.#compile(schema, region, home),
      resolve: (reference) => findTarget(this.#resources, reference, home)?.schema,
      pattern: (source) => {
        const pattern = this.#options.patterns.compile(source);
        if (!("unusable" in pattern)) return pattern;
        this.unusable ??= pattern.unusable;
        return /^/;
      },
      leave: (what) => {
        this.unusable ??= `${what} cannot be used`;
      },
      collectors: new Map(),
      references: (schema, region) =>
        referencesOf(schema, home.dialect).map((name) => this.#reference(name, region, home)),
      partOf: (schema) => this.#partOf(homeOf(this.#resources, schema) ?? home),
      within: (work) => this.scope.within(home, work),
      follow: (schema, work) => {
        for (const name of referencesOf(schema, home.dialect)) this.#follow(name, home, work);
      },
    };
    this.#parts.set(home, part);
    return part;
  }

  #compile(schema: JsonSchema, region: number, outer: Resource): Rule {
    if (schema === true) return ANYTHING;
    if (schema === false) return NOTHING;
    if (!isObject(schema)) {
      this.unusable ??= "a schema that is neither object nor boolean cannot be used";
      return ANYTHING;
    }
    const home = homeOf(this.#resources, schema) ?? outer;
    const rule = this.#compileObject(home.isAsserted ? schema : withoutAssertions(schema), region, home);
    return home === outer ? rule : this.scope.entering(home, rule);
  }

  #compileObject(schema: JsonObject, region: number, home: Resource): Rule {
    const on = this.#partOf(home);
    const references = on.references(schema, region);
    const [only] = references;
    if (home.dialect === "draft-07" && only !== undefined) return only;
    const types = typesOf(schema);
    const rules = [
      ...compileTyped(listsOf(schema, home.dialect).bare, on, types),
      ...compileValues(schema),
      ...compileBranches(schema, on, region),
      ...compileMore(schema, on, region),
      ...references,
      ...compileUnevaluated(schema, on),
    ];
    return together(rules, types, schema);
  }

  /** Returns the rule for a reference, as it is chosen when it is followed. */
  #reference({ reference, isDynamic }: Reference, region: number, home: Resource): Rule {
    const target = findTarget(this.#resources, reference, home);
    if (target === undefined) {
      this.unusable ??= `the reference ${reference} leads to no schema that is known`;
      return ANYTHING;
    }
    const slot = this.#slot(target);
    const name = isDynamic ? nameOf(reference, target) : undefined;
    if (name !== undefined) return this.scope.choosing(name, slot);
    this.#edges.set(region, [...(this.#edges.get(region) ?? []), slot.region]);
    const rule: Rule = {
      check: (value) => {
        this.scope.step();
        return slot.rule?.check(value) ?? false;
      },
      explain: (value, path, report) => {
        this.scope.step();
        slot.rule?.explain(value, path, report);
      },
    };
    return target.home === home ? rule : this.scope.entering(target.home, rule);
  }

  #follow({ reference, isDynamic }: Reference, home: Resource, work: Parameters<Part["follow"]>[1]): void {
    const target = findTarget(this.#resources, reference, home);
    if (target === undefined) return;
    this.scope.step();
    const name = isDynamic ? nameOf(reference, target) : undefined;
    const chosen = name === undefined ? target : this.scope.choose(name, this.#slot(target));
    this.scope.within(chosen.home, () => {
      work(chosen.schema, this.#partOf(chosen.home));
    });
  }

  #slot({ schema, home }: Target): Slot {
    const known = this.#slots.get(schema);
    if (known !== undefined) return known;
    const slot: Slot = { schema, home, region: this.#newRegion(), rule: undefined };
    this.#slots.set(schema, slot);
    this.scope.add(home);
    slot.rule = this.#compile(schema, slot.region, home);
    return slot;
  }

  #newRegion(): number {
    this.#regions += 1;
    return this.#regions;
  }
}
