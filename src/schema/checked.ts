import type { Json, JsonObject } from "../core/json.ts";
import type { Problem } from "../core/result.ts";

/** What became of an input: a value that fits, every problem at once, or a schema that cannot be used. */
export type Checked =
  | { readonly ok: true; readonly value: Json; readonly coerced?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly more?: number }
  | { readonly ok: false; readonly unusable: string; readonly problems: readonly [] };

export interface ValidatorOptions {
  /** Mend what can be mended for certain; true. */
  readonly coerce?: boolean;
  /** Fill defaults; true. */
  readonly defaults?: boolean;
  /** Assert `format`; true. */
  readonly formats?: boolean;
  /** Other schemas that references may name, by their address; nothing is ever loaded from a network. */
  readonly documents?: JsonObject;
}
