import type { JsonObject } from "../../core/json.ts";
import type { Dialect } from "../shared/types.ts";
import type { Target } from "./types.ts";

/** A reference, as it is written. */
export interface Reference {
  readonly reference: string;
  readonly isDynamic: boolean;
}

export function referencesOf(schema: JsonObject, dialect: Dialect): readonly Reference[] {
  const dynamic = { "draft-07": undefined, "2019-09": "$recursiveRef", "2020-12": "$dynamicRef" }[dialect];
  return ["$ref", dynamic].flatMap((keyword) => {
    const reference = keyword === undefined ? undefined : schema[keyword];
    return typeof reference === "string" ? [{ reference, isDynamic: keyword !== "$ref" }] : [];
  });
}

/** Returns the name by which a dynamic reference chooses; undefined if it leads where any other reference would. */
export function nameOf(reference: string, { schema, home }: Target): string | undefined {
  const name = reference.slice(reference.indexOf("#") + 1);
  return home.dynamicAnchors.get(name) === schema ? name : undefined;
}
