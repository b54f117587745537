import type { JsonSchema } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** Which edition of JSON Schema a schema is read as; undefined for a stranger's own. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

const OLDER = /^https?:\/\/json-schema\.org\/draft-0[3467]\/schema#?$/;
const EDITION = /^https?:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/schema#?$/;

/** The dialect that `$schema` names; 2020-12 where it names none. Drafts before 7 are read as draft-07. */
export function dialectOf(schema: JsonSchema): Dialect | undefined {
  const named = isObject(schema) ? schema["$schema"] : undefined;
  if (typeof named !== "string") return "2020-12";
  if (OLDER.test(named)) return "draft-07";
  const edition = EDITION.exec(named)?.[1];
  return edition === "2019-09" || edition === "2020-12" ? edition : undefined;
}
