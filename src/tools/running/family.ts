import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
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
  checkEnvironment(options);
  const running = createRunning(options);
  return [shell(running), viewBackgroundProcesses(running), stopBackgroundProcess(running), batch()];
}

/** A program without types may leave it out: commands would then get every variable of this process, secrets included. */
function checkEnvironment({ environment }: Partial<RunningOptions>): void {
  if (isObject(environment)) return;
  throw new ToolError("INVALID_INPUT", "runningTools: the environment of programs is missing", {
    hint: "pass { environment: childEnvironment(process.env) }",
  });
}
