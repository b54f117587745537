import type { Tool } from "../../core/tool.ts";
import type { RunningOptions } from "./options.ts";
import { shell } from "./shell.ts";

/** The tools that run programs. */
export function runningTools(options: RunningOptions): Tool[] {
  return [shell(options)];
}
