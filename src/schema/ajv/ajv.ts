import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject, type JsonObject, type JsonSchema, type Json } from "../../core/json.ts";
import { toFindings } from "./ajv-findings.ts";
import { formatNames, formatOf } from "../patterns/format-table.ts";
import { createPatterns, type Patterns } from "../patterns/pattern.ts";
import { isMultiple } from "../quick/quick-scalar.ts";
import type { Checker, Dialect, Fill } from "../shared/types.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { resolveLocal } from "../shared/pointer.ts";
import { uriResolver } from "./uri-resolver.ts";
import { rewriteForAjv } from "./rewrite-for-ajv.ts";

interface AjvOptions {
  /** The editions to try in turn until one compiles. */
  readonly dialects: readonly Dialect[];
  readonly formats: boolean;
  readonly documents: JsonObject;
  readonly fill: Fill | undefined;
}

/** Compiles any schema with Ajv; returns a text if it cannot be compiled. Never throws. */
export function compileAjv(schema: JsonSchema, options: AjvOptions): Checker | string {
  if (growsWithoutMeasure(schema)) return "its references multiply beyond measure";
  const faults: string[] = [];
  for (const dialect of options.dialects) {
    const made = compileAs(dialect, schema, options);
    if (typeof made !== "string") return made;
    faults.push(made);
  }
  return faults[0] ?? "no edition of JSON Schema was named";
}

/** Returns a checker, or why there is none. */
function compileAs(dialect: Dialect, schema: JsonSchema, options: AjvOptions): Checker | string {
  try {
    const rewritten = rewriteForAjv(schema, dialect) as JsonObject;
    const fault = faultOf(dialect, rewritten);
    if (fault !== undefined) return fault;
    const patterns = createPatterns();
    const isValid = open(dialect, options, patterns).compile(rewritten);
    if (neverEnds(isValid)) return "it refers to itself without end";
    let explaining: ValidateFunction | undefined;
    const explain: Checker["explain"] = (value) => {
      const isFine = (explaining ??= open(dialect, options, patterns, EXPLAIN).compile(rewritten));
      return patterns.limit(() => isFine(value)) ? [] : toFindings(isFine.errors ?? [], schema);
    };
    const check: Checker["check"] = (value) => patterns.limit(() => isValid(value));
    return { unusable: undefined, fill: options.fill, check, explain };
  } catch (error) {
    return errorMessage(error);
  }
}

/** A schema that checks the same value forever does so for some plain value too. */
function neverEnds(isValid: ValidateFunction): boolean {
  try {
    for (const probe of [null, true, 0, "", [], {}]) isValid(probe);
    return false;
  } catch {
    return true;
  }
}

const EXPLAIN: Options = { allErrors: true, verbose: true };
const CLASSES = { "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 } as const;

/** The validator of a meta-schema is expensive to build and the same for all schemas. */
const metaSchemas = new Map<Dialect, Ajv>();

/** Returns why a schema is not a JSON Schema; undefined if it is one. */
function faultOf(dialect: Dialect, schema: JsonSchema): string | undefined {
  if (!isObject(schema)) return undefined;
  const { $schema: _, ...plain } = schema;
  const ajv =
    metaSchemas.get(dialect) ?? create(dialect, { validateFormats: false, strict: false, verbose: true });
  metaSchemas.set(dialect, ajv);
  if (ajv.validateSchema(plain) === true) return undefined;
  const [problem] = toFindings(ajv.errors ?? [], plain).map((finding) => finding.problem);
  const { path = "", got = "" } = problem ?? {};
  const [, name = ""] = (path.endsWith("/type") && /^string "(\w+)"$/.exec(got)) || [];
  const meant = Object.hasOwn(TYPES, name) ? `; did you mean ${TYPES[name]}?` : "";
  return `it is not a JSON Schema: ${path}: expected ${problem?.expected ?? "a schema"}${meant}`;
}

/** The types of JSON Schema by the names that they have in Python. */
const TYPES: Readonly<Record<string, string>> = {
  dict: "object",
  float: "number",
  int: "integer",
  str: "string",
  bool: "boolean",
  list: "array",
  tuple: "array",
  any: "no type",
};

/** Creates one instance per schema, so that `$id`s of different sources never collide and a removed tool leaves nothing behind. */
function open(
  dialect: Dialect,
  { formats, documents }: AjvOptions,
  patterns: Patterns,
  options: Options = {},
): Ajv {
  const ajv = create(dialect, {
    strict: false,
    ownProperties: true,
    validateSchema: false,
    validateFormats: formats,
    code: { regExp: toRegExpEngine(patterns) },
    ...options,
  });
  const compile = (step: number) => (value: number) => isMultiple(value, step);
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({ keyword: "multipleOf", type: "number", schemaType: "number", compile });
  for (const name of formats ? formatNames() : []) {
    const format = formatOf(name);
    if (format?.kind === "string") ajv.addFormat(name, { type: "string", validate: format.test });
    if (format?.kind === "number") ajv.addFormat(name, { type: "number", validate: format.test });
  }
  for (const [address, document] of Object.entries(documents)) {
    ajv.addSchema(rewriteForAjv(document as JsonSchema, dialect), address);
  }
  return ajv;
}

function create(dialect: Dialect, options: Options): Ajv {
  return new CLASSES[dialect]({ ...options, logger: false, messages: false, uriResolver });
}

interface RegExpEngine {
  (source: string): { test(text: string): boolean; toString(): string };
  code: string;
}

/** Ajv caches patterns by their text. */
function toRegExpEngine(patterns: Patterns): RegExpEngine {
  const compile = (source: string): ReturnType<RegExpEngine> => {
    const pattern = patterns.compile(source);
    if ("unusable" in pattern) throw new Error(pattern.unusable);
    return { test: (text) => pattern.test(text), toString: () => source };
  };
  return Object.assign(compile, { code: "new RegExp" });
}

/** Far more often than any real schema checks one value. */
const MOST = 100_000;

/** Returns true if references multiply, each step following the next one twice, so that one check would never end. */
function growsWithoutMeasure(schema: JsonSchema): boolean {
  const known = new Map<string, number>();
  const follow = (reference: string): number => {
    const knownCount = known.get(reference);
    if (knownCount !== undefined) return knownCount;
    // A cycle counts once: how often it is followed depends on the value.
    known.set(reference, 1);
    const looks = count(resolveLocal(schema, reference));
    known.set(reference, looks);
    return looks;
  };
  /** Counts how often a schema, and all that it applies to the same value, checks one value. */
  const count = (part: Json | undefined): number => {
    if (!isObject(part)) return 1;
    const reference = part["$ref"];
    let looks = typeof reference === "string" ? 1 + follow(reference) : 1;
    for (const keyword of SAME_VALUE) {
      const inner = part[keyword];
      const parts = Array.isArray(inner) ? (inner as readonly Json[]) : inner === undefined ? [] : [inner];
      for (const each of parts) looks = Math.min(MOST + 1, looks + count(each));
    }
    return looks;
  };
  return everySchema(schema).some((part) => count(part) > MOST);
}

const SAME_VALUE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/** Returns every object inside, schema or not: rather too many than too few. */
function everySchema(schema: Json): readonly Json[] {
  const subschemas: Json[] = [];
  const open: Json[] = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null) continue;
    if (!Array.isArray(part)) subschemas.push(part);
    open.push(...Object.values(part));
  }
  return subschemas;
}
