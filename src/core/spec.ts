import type { Shape } from "./content.ts";
import type { JsonObject, JsonSchema } from "./json.ts";

export const RISKS = ["low", "medium", "high"] as const;
/** low: reads, or writes only the agent's own state; medium: writes files; high: runs programs, deletes, changes other systems. */
export type Risk = (typeof RISKS)[number];

/** The place of tools that run in this process. Every other place is a name that an executor has. */
export const HOST = "host";

export const EFFECTS = ["none", "own-state", "idempotent", "unsafe"] as const;
/** What a second run of the same call would change; only `none` and `idempotent` are retried. own-state: the agent's own state; unsafe: it may do its work again. */
export type Effects = (typeof EFFECTS)[number];

/** The limits of the calls of one tool; what is absent is as the engine has it. */
export interface Limits {
  readonly timeoutMs?: number;
  /** Ends a call that has emitted nothing for this long. */
  readonly idleTimeoutMs?: number;
  /** How long an ended call may clean up (end its process tree) before its caller is answered without it. */
  readonly graceMs?: number;
  readonly attempts?: number;
  /** The number of calls of the tool that run at a time; the others wait. Default: no limit. */
  readonly concurrency?: number;
  readonly shape?: Shape;
  /** A text answer, and its data, up to this size is never truncated, whatever its shape. */
  readonly maxBytes?: number;
}

/** The description of a tool, as shown to a model or sent over the network. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its input, always an object. */
  readonly input: JsonObject;
  /** The JSON Schema of its data; absent if the data is not checked. */
  readonly output?: JsonSchema;
  readonly risk: Risk;
  /** Where it runs: `host`, which is this process, or any other name for which the engine has an executor. */
  readonly place: string;
  readonly source: string;
  readonly group?: string;
  readonly effects: Effects;
  readonly limits?: Limits;
  /** What an MCP server lists for the tool, as it sent it: its title, annotations, `_meta` and output schema. MCP clients get it unchanged. */
  readonly listed?: JsonObject;
}
