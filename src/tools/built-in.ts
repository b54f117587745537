import type { Tool } from "../core/tool.ts";
import type { AboutOptions } from "./about/family.ts";
import { aboutTools } from "./about/family.ts";
import { fileTools } from "./files/family.ts";
import type { FilesOptions } from "./files/options.ts";
import { thinkTools } from "./notes/family.ts";
import { runningTools } from "./running/family.ts";
import type { RunningOptions } from "./running/options.ts";

/** What the tools that are shipped need. */
export type BuiltInOptions = FilesOptions & RunningOptions & AboutOptions;

/** Every tool that is shipped. */
export function builtInTools(options: BuiltInOptions): Tool[] {
  return [...fileTools(options), ...runningTools(options), ...thinkTools(), ...aboutTools(options)];
}
