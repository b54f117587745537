import type { Json } from "../../core/json.ts";
import type { Fill } from "./fill-defaults.ts";
import type { Finding } from "./finding.ts";

/** A compiled schema. Where it is unusable the rest says no to everything. */
export interface Checker {
  readonly unusable: string | undefined;
  readonly fill: Fill | undefined;
  readonly check: (value: Json) => boolean;
  /** Everything that is wrong; empty only where nothing is. */
  readonly explain: (value: Json) => readonly Finding[];
}
