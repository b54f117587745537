import type { Key } from "./context.ts";
import { createKey } from "./context.ts";
import type { ToolSpec } from "./spec.ts";
import type { Tool } from "./tool.ts";

/** The tools that the call's session can use now. */
export interface ToolList {
  /** By name or alias; undefined for a tool that is not there, or not active. */
  get(name: string): Tool | undefined;
  /** As a model may see them. */
  list(): readonly ToolSpec[];
}

/** Always there: a call without a session sees what is active on the engine. */
export const ActiveTools: Key<ToolList> = createKey("ActiveTools");
