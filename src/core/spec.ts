import type { Shape } from "./content.ts";
import type { JsonObject, JsonSchema } from "./json.ts";

/** low = reads, or writes only the agent's own state; medium = writes files; high = runs programs, deletes, acts on the world. */
export type Risk = "low" | "medium" | "high";

/** Where a tool runs. */
export type Place = "host" | "sandbox" | "fleet";

/** What a second run of the same call would change. Only `none` and `idempotent` are ever run again by the engine. */
export type Effects = "none" | "own-state" | "idempotent" | "unsafe";

export interface Limits {
  readonly timeoutMs?: number;
  /** Ends a call that has emitted nothing for this long. */
  readonly idleTimeoutMs?: number;
  /** How long an ended call may take to clean up (a process tree to die) before its caller is answered without it. */
  readonly graceMs?: number;
  readonly attempts?: number;
  readonly shape?: Shape;
  /** A text answer, and its data, of up to so many bytes is shown whole, whatever its shape is cut at. */
  readonly maxBytes?: number;
}

/** A tool as it may be shown to a model or sent over a wire. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly output?: JsonSchema;
  readonly risk: Risk;
  readonly place: Place;
  readonly source: string;
  readonly group?: string;
  readonly effects: Effects;
  readonly limits?: Limits;
}
