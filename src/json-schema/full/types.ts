import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import type { Compilation, Dialect, Rule } from "../shared/types.ts";

/** A schema with an address of its own: a document, or a part of one that has an `$id`. */
export interface Resource {
  readonly address: string;
  readonly root: JsonSchema;
  readonly dialect: Dialect;
  /** Whether keywords such as `type` and `minimum` are asserted: a schema of schemas of its own may leave them out. */
  readonly isAsserted: boolean;
  readonly anchors: Map<string, JsonSchema>;
  /** The anchors that a `$dynamicRef` chooses among; that of `$recursiveAnchor` has no name. */
  readonly dynamicAnchors: Map<string, JsonSchema>;
}

/** A schema, and the resource whose address its references are relative to. */
export interface Target {
  readonly schema: JsonSchema;
  readonly home: Resource;
}

/** A compilation of the parts of one resource: references are relative to its address. */
export interface Part extends Compilation {
  readonly home: Resource;
  /** What is compiled to collect what the schemas of this resource evaluate. */
  readonly collectors: Map<JsonObject, Collect>;
  /** Returns the rules of the references of a schema, for the same value; `region` is that of the schema. */
  references(schema: JsonObject, region: number): readonly Rule[];
  /** Returns the part of a schema: another one if it has an address of its own. */
  partOf(schema: JsonObject): Part;
  /** Runs a part of a check in this resource. */
  within<T>(work: () => T): T;
  /** Passes on where the references of a schema lead to in the running check, which is in that resource meanwhile. */
  follow(schema: JsonObject, work: (target: JsonSchema, on: Part) => void): void;
}

/** What the keywords of a schema have evaluated of one object or list: its keys, or the indices of its items. */
export interface Evaluated {
  isAll: boolean;
  readonly keys: Set<string | number>;
}

export type Collect = (value: Json, into: Evaluated) => void;
