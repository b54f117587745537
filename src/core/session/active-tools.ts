import { createKey, type Key } from "../context.ts";
import type { ToolSpec } from "../spec.ts";
import type { Tool } from "../tool.ts";

/** A group of tools as a session sees it. */
export interface GroupState {
  readonly name: string;
  readonly description: string;
  /** Whether its tools can be called. */
  readonly active: boolean;
  /** Only the host program or the user can switch it. */
  readonly locked: boolean;
}

/** The groups and tools that become active. */
export interface ToolChoice {
  readonly groups?: readonly string[];
  readonly tools?: readonly string[];
  /** Everything else that can be switched becomes inactive. Default: false, it stays as it is. */
  readonly replace?: boolean;
}

/** The tools of the call's session, and how to choose others. */
export interface ToolList {
  /** Finds a tool by name or alias; undefined if it does not exist or is not active. */
  get(name: string): Tool | undefined;
  /** The active tools, as a model sees them. */
  list(): readonly ToolSpec[];
  /** Every registered tool, active or not. */
  all(): Iterable<{ readonly tool: Tool; readonly group: string | undefined; readonly active: boolean }>;
  /** Changes whenever a tool is registered or removed. */
  readonly version: number;
  /** Returns all groups, as the session sees them. */
  groups(): readonly GroupState[];
  /**
   * Switches the session's tools. Throws, and changes nothing, on a name that is unknown or locked, or for more tools than the
   * session's limit. Returns a function that takes the choice back.
   */
  choose(choice: ToolChoice): () => void;
}

/** Always present: a call without a session sees the engine's active tools. */
export const ActiveTools: Key<ToolList> = createKey("ActiveTools");
