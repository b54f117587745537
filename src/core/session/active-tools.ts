import type { Key } from "../context.ts";
import { createKey } from "../context.ts";
import type { ToolSpec } from "../spec.ts";
import type { Tool } from "../tool.ts";

/** A group of tools as a session sees it. */
export interface GroupState {
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  /** Only the host program or the user switches it. */
  readonly locked: boolean;
}

/** What shall be active from now on: these groups and these tools, and nothing else that can be switched. */
export interface ToolChoice {
  readonly groups?: readonly string[];
  readonly tools?: readonly string[];
}

/** The tools that the call's session can use now, and how to choose others. */
export interface ToolList {
  /** By name or alias; undefined for a tool that is not there, or not active. */
  get(name: string): Tool | undefined;
  /** As a model may see them. */
  list(): readonly ToolSpec[];
  /** Every registered tool, active or not. */
  all(): Iterable<{ readonly tool: Tool; readonly group: string | undefined; readonly active: boolean }>;
  /** Another number after each change of what is registered. */
  readonly version: number;
  groups(): readonly GroupState[];
  /** Switches the session's tools. Throws, and changes nothing, on a name that is not known or may not be switched. */
  choose(choice: ToolChoice): void;
}

/** Always there: a call without a session sees what is active on the engine. */
export const ActiveTools: Key<ToolList> = createKey("ActiveTools");
