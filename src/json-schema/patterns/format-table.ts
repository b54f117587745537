// Only the table, which does not load Ajv.
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { Json } from "../../core/json.ts";

/** A `format` that is asserted. */
export interface Format {
  readonly name: string;
  readonly kind: "string" | "number";
  readonly test: (value: Json) => boolean;
}

/** Returns the check of a named format; undefined for an unknown name, which is then an annotation. */
export function formatOf(name: string): Format | undefined {
  return Object.hasOwn(DEFINITIONS, name) ? toFormat(name, DEFINITIONS[name]) : undefined;
}

/** Returns the names of all formats that are asserted. */
export function formatNames(): readonly string[] {
  return Object.keys(DEFINITIONS);
}

type Test = RegExp | ((value: never) => boolean) | true;
type Definition = Test | { readonly type?: "string" | "number"; readonly validate: Test };

const DEFINITIONS = fullFormats as Readonly<Record<string, Definition>>;

/** Some of the expressions take quadratic time; no real address or date is this long. */
const MAX_LENGTH = 8192;
const UNBOUNDED = new Set(["byte", "binary", "password", "regex"]);

function toFormat(name: string, definition: Definition | undefined): Format | undefined {
  if (definition === undefined || definition === true) return undefined;
  const isPlain = definition instanceof RegExp || typeof definition === "function";
  const kind = isPlain ? "string" : (definition.type ?? "string");
  const validate = isPlain ? definition : definition.validate;
  if (validate === true) return undefined;
  const matches = validate instanceof RegExp ? (value: string) => validate.test(value) : validate;
  const run = matches as (value: Json) => boolean;
  if (kind === "number" || UNBOUNDED.has(name)) return { name, kind, test: run };
  return {
    name,
    kind,
    test: (value) => typeof value === "string" && value.length <= MAX_LENGTH && run(value),
  };
}
