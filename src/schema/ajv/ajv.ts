import { createRequire } from "node:module";
import type { Ajv, Options, ValidateFunction } from "ajv";
import type { JsonObject, JsonSchema } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { toFindings } from "./ajv-findings.ts";
import type { Checker } from "../problems/checker.ts";
import type { Fill } from "../problems/fill-defaults.ts";
import { formatNames, formatOf } from "../patterns/formats.ts";
import { compilePattern, matches } from "../patterns/pattern.ts";
import { isMultiple } from "../quick/quick-scalar.ts";
import { growsWithoutMeasure } from "./reference-growth.ts";
import type { Dialect } from "../quick/rule.ts";
import { rewriteForAjv } from "./rewrite-for-ajv.ts";

export interface AjvOptions {
  /** The editions to read the schema as, in turn, until one compiles. */
  readonly dialects: readonly Dialect[];
  readonly formats: boolean;
  readonly documents: JsonObject;
  readonly fill: Fill | undefined;
}

/** Compiles any schema with Ajv, which is loaded only now; or says why it cannot be. Never throws. */
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

/** A checker, or the fault that kept it from being made. */
function compileAs(dialect: Dialect, schema: JsonSchema, options: AjvOptions): Checker | string {
  try {
    const rewritten = rewriteForAjv(schema, dialect) as JsonObject;
    const fault = faultOf(dialect, rewritten);
    if (fault !== undefined) return fault;
    const isValid = open(dialect, options).compile(rewritten);
    if (neverEnds(isValid)) return "it refers to itself without end";
    let explaining: ValidateFunction | undefined;
    const explain: Checker["explain"] = (value) => {
      explaining ??= open(dialect, options, { allErrors: true, verbose: true }).compile(rewritten);
      return explaining(value) ? [] : toFindings(explaining.errors ?? [], schema);
    };
    return { unusable: undefined, fill: options.fill, check: (value) => isValid(value), explain };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A schema that looks at the same value again and again does so for some plain value too. */
function neverEnds(isValid: ValidateFunction): boolean {
  try {
    for (const probe of [null, true, 0, "", [], {}]) isValid(probe);
    return false;
  } catch {
    return true;
  }
}

type AjvClass = new (options: Options) => Ajv;

const MODULES: Readonly<Record<Dialect, string>> = {
  "draft-07": "ajv",
  "2019-09": "ajv/dist/2019.js",
  "2020-12": "ajv/dist/2020.js",
};

/** Building a meta-schema's validator costs more than anything else here, and it is the same for all. */
const metaSchemas = new Map<Dialect, Ajv>();

/** What is wrong with a schema as a schema; undefined where nothing is. */
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

/** One instance per schema, so that identifiers of strangers never meet and a removed tool leaves nothing behind. */
function open(dialect: Dialect, { formats, documents }: AjvOptions, options: Options = {}): Ajv {
  const ajv = create(dialect, {
    strict: false,
    ownProperties: true,
    logger: false,
    messages: false,
    validateSchema: false,
    validateFormats: formats,
    code: { regExp: toPattern },
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
  const require = createRequire(import.meta.url);
  const AjvOfDialect = (require(MODULES[dialect]) as { readonly default: AjvClass }).default;
  return new AjvOfDialect(options);
}

/** Ajv keeps patterns by their text. */
function toPattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = compilePattern(source);
  if ("unusable" in pattern) throw new Error(pattern.unusable);
  return { test: (text: string) => matches(pattern, text), toString: () => source };
}
toPattern.code = "new RegExp";
