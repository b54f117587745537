import type { Json, JsonSchema } from "../../core/json.ts";
import type { Report } from "../problems/finding.ts";
import type { Pattern } from "../patterns/pattern.ts";

/** One compiled part of a schema: a fast answer, and a slow one that says everything that is wrong. */
export interface Rule {
  readonly check: (value: Json) => boolean;
  /** Adds nothing for a value that `check` accepts. */
  readonly explain: (value: Json, path: string, report: Report) => void;
}

/** What the parts of a compilation share. */
export interface Compilation {
  /** Compiles a schema that looks at a part of the value: a property, an item. */
  inner(schema: JsonSchema): Rule;
  /** Compiles a schema that looks at the same value again: a branch, a conjunct. */
  here(schema: JsonSchema, region: number): Rule;
  reference(reference: string, region: number): Rule;
  resolve(reference: string): JsonSchema | undefined;
  /** Notes that the schema says something the quick validator does not know. */
  leave(keyword: string): void;
  pattern(source: string): Pattern;
  readonly assertFormats: boolean;
}

/** Which edition of JSON Schema a schema is read as. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";
