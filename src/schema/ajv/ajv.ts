import type { Ajv, Options, ValidateFunction } from "ajv";
import { isObject, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { toFindings } from "./ajv-findings.ts";
import { formatNames, formatOf } from "../patterns/formats.ts";
import { createPatterns, type Patterns } from "../patterns/pattern.ts";
import { isMultiple } from "../quick/quick-scalar.ts";
import { growsWithoutMeasure } from "./reference-growth.ts";
import { loadPackage } from "../shared/load-package.cjs";
import type { Checker, Dialect, Fill } from "../shared/types.ts";
import { rewriteForAjv } from "./rewrite-for-ajv.ts";
import { errorMessage } from "../../util/text/error-message.ts";

export interface AjvOptions {
  /** The editions to try in turn until one compiles. */
  readonly dialects: readonly Dialect[];
  readonly formats: boolean;
  readonly documents: JsonObject;
  readonly fill: Fill | undefined;
}

/** Compiles any schema with Ajv, which is loaded now; returns a text if it cannot be compiled. Never throws. */
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

type AjvClass = new (options: Options) => Ajv;

const MODULES = {
  "draft-07": "ajv",
  "2019-09": "ajv/dist/2019.js",
  "2020-12": "ajv/dist/2020.js",
} as const satisfies Readonly<Record<Dialect, string>>;

/** The validator of a meta-schema is expensive to build and the same for all schemas. */
const metaSchemas = new Map<Dialect, Ajv>();

/** Returns why a schema is not a JSON Schema; undefined if it is one. */
function faultOf(dialect: Dialect, schema: JsonSchema): string | undefined {
  if (!isObject(schema)) return undefined;
  const { $schema: _, ...plain } = schema;
  const ajv =
    metaSchemas.get(dialect) ?? create(dialect, { validateFormats: false, strict: false, logger: false });
  metaSchemas.set(dialect, ajv);
  if (ajv.validateSchema(plain) === true) return undefined;
  const [error] = ajv.errors ?? [];
  return `it is not a JSON Schema: ${error?.instancePath ?? ""} ${error?.message ?? "is wrong"}`;
}

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
    logger: false,
    messages: false,
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
  const AjvOfDialect = (loadPackage(MODULES[dialect]) as { readonly default: AjvClass }).default;
  return new AjvOfDialect(options);
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
