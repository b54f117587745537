import {
  anyJson,
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
} from "./schema.ts";

/** The schema builder under one name: `s.object({ city: s.string() })`. */
export const s = {
  anyJson,
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
} as const;
