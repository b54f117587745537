import { ToolError } from "../../../core/errors.ts";
import type { Dialect } from "./dialect.ts";
import { JSON_DIALECTS } from "./dialects-json.ts";
import { MARKUP_DIALECTS } from "./dialects-markup.ts";
import { NAMED_DIALECTS } from "./dialects-named.ts";
import type { Openings } from "./openings.ts";

/** Every dialect, by the grammar behind it. */
export const DIALECTS = [...JSON_DIALECTS, ...MARKUP_DIALECTS, ...NAMED_DIALECTS] as const;

export type DialectName = (typeof DIALECTS)[number]["name"];

/** The names of all dialects; `auto` is none of them. */
export const DIALECT_NAMES: readonly DialectName[] = DIALECTS.map(({ name }) => name);

/** The dialect of that name. */
export function dialectOf(name: DialectName): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (found === undefined) throw new ToolError("INVALID_INPUT", `there is no dialect "${name}"`);
  return found;
}

/** What may begin a call in this dialect, or in any. */
export function openingsOf(name: DialectName | "auto"): Openings {
  const dialects: readonly Dialect[] = name === "auto" ? DIALECTS : [dialectOf(name)];
  return {
    tags: new Set(dialects.flatMap(({ tags = [] }) => tags)),
    tokens: new Set(dialects.flatMap(({ tokens = [] }) => tokens)),
    bare: new Set(dialects.flatMap(({ bare = [] }) => bare)),
    toolTags: name === "auto" ? "underscored" : "any",
  };
}
