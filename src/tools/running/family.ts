import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { checkRootedOptions } from "../shared/check-tool-options.ts";
import { BATCH, batch } from "./batch.ts";
import type { RunningOptions } from "./options.ts";
import { createRunning } from "./running.ts";
import { SHELL, shell } from "./shell.ts";
import {
  STOP_BACKGROUND_PROCESS,
  VIEW_BACKGROUND_PROCESSES,
  stopBackgroundProcess,
  viewBackgroundProcesses,
} from "./view-background-processes.ts";

/** Returns the tools that run programs. */
export function runningTools(options: RunningOptions): Tool[] {
  checkRootedOptions("runningTools", options);
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

/** The tools of this family by name, for `builtIn`. */
export const RUNNING_NAMED = {
  shell: SHELL,
  viewBackgroundProcesses: VIEW_BACKGROUND_PROCESSES,
  stopBackgroundProcess: STOP_BACKGROUND_PROCESS,
  batch: BATCH,
};
