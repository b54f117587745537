import type { Tool } from "../../core/tool.ts";
import { checkRoot } from "../shared/check-root.ts";
import { batch } from "./batch.ts";
import type { RunningOptions } from "./options.ts";
import { createRunning } from "./running.ts";
import { shell } from "./shell.ts";
import { stopBackgroundProcess, viewBackgroundProcesses } from "./view-background-processes.ts";

/** Returns the tools that run programs. */
export function runningTools(options: RunningOptions): Tool[] {
  checkRoot("runningTools", options);
  const running = createRunning(options);
  return [shell(running), viewBackgroundProcesses(running), stopBackgroundProcess(running), batch()];
}
