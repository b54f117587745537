import { isObject } from "../../../core/json.ts";
import { integer, type Schema } from "../../../schema/define/schema.ts";

/** One setting: where it can be set, which values it takes, and how far a project's file may change it. */
export interface Setting<T> {
  readonly summary: string;
  readonly flag?: string;
  readonly variable?: string;
  readonly fallback: T;
  /** The JSON Schema of the value in a file. */
  readonly schema: Schema<unknown>;
  /** Returns the value of what is written and fits the schema; throws a `ToolError` that begins with the place. */
  parse?(written: never, place: string): T;
  /** Returns what the text of a flag or a variable would be in a file. */
  fromText?(text: string, cwd: string): unknown;
  /** Combines a file's value with the value of the layers below; default: it replaces that. */
  combine?(below: T, above: T): T;
  /** Returns the part of a project's value that does not loosen, or undefined; default: a project may not set it. */
  tighten?(base: T, wish: T): T | undefined;
  /** A project that the user trusts in this may set it as the user would. */
  readonly isTrustable?: true;
  /** A project's items are trusted one by one, and never merged with the user's here. */
  readonly isByItem?: true;
  /** Returns what was probably meant by an invalid value. */
  hintOf?(written: unknown): string | undefined;
  /** Messages about invalid values do not show them. */
  readonly hidesValues?: true;
}

/** Combines the parts of two values, those of the layer above over those below. */
export const merge = <T extends object>(below: T, above: T): T => ({ ...below, ...above });

/** Returns a project's value if it is no larger. */
export const lower = (base: number, wish: number): number | undefined => (wish <= base ? wish : undefined);

type Definition<T, W> = Omit<Setting<T>, "schema" | "parse"> & { readonly schema: Schema<W> };

/** A setting whose value is what is written. */
export function setting<T>(definition: Definition<T, T>): Setting<T> {
  return definition;
}

/** A number without a fixed default. */
export function limit(summary: string, min: number): Setting<number | undefined> {
  const schema = integer(undefined, { min, max: 10_000_000 });
  return setting<number | undefined>({ summary, fallback: undefined, schema });
}

/** A setting that is an object, to which each layer adds its own parts; at first it has the defaults of the schema. */
export function merged<T extends object>(summary: string, schema: Schema<T>): Setting<T> {
  const parts = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {});
  const defaults = parts.flatMap(([name, part]) =>
    isObject(part) && part["default"] !== undefined ? [[name, part["default"]] as const] : [],
  );
  return { summary, schema, fallback: Object.fromEntries(defaults) as T, combine: merge };
}

/** A setting whose value is made from what is written. */
export function parsed<T, W>(
  one: Definition<T, W> & { readonly parse: (written: W, place: string) => T },
): Setting<T> {
  return one;
}
