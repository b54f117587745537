import type { Tool } from "../../core/tool.ts";
import { builtInTools as createBuiltInTools, type BuiltInOptions } from "../../tools/built-in.ts";
import { runningTools as createRunningTools } from "../../tools/running/family.ts";
import type { RunningOptions } from "../../tools/running/options.ts";
import { bundleCommandModules } from "./command-modules.ts";

/** Returns all built-in tools. */
export function builtInTools(options: BuiltInOptions): Tool[] {
  bundleCommandModules(loadAll);
  return createBuiltInTools(options);
}

/** Returns the tools that run commands. */
export function runningTools(options: RunningOptions): Tool[] {
  bundleCommandModules(loadAll);
  return createRunningTools(options);
}

const loadAll = () => import("./all-command-modules.ts");
