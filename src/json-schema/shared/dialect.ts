import { isObject, type Json } from "../../core/json.ts";
import type { Dialect } from "./types.ts";

const OLDER = /^https?:\/\/json-schema\.org\/draft-0[3467]\/schema#?$/;
const EDITION = /^https?:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/schema#?$/;

/** Returns the dialect that `$schema` names; default: 2020-12. Drafts before 7 are read as draft-07. */
export function dialectOf(schema: Json): Dialect | undefined {
  const named = isObject(schema) ? schema["$schema"] : undefined;
  if (typeof named !== "string") return "2020-12";
  if (OLDER.test(named)) return "draft-07";
  const edition = EDITION.exec(named)?.[1];
  return edition === "2019-09" || edition === "2020-12" ? edition : undefined;
}
