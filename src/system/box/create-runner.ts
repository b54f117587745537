import { runProcess } from "../process/process.ts";
import { unlessScarce } from "../process/start-fault.ts";
import type { BoxedProgram } from "./types.ts";

const MAX_OUTPUT = 500;

/** Runs a program with these arguments to its end. Returns whether it succeeded, and the end of what it printed. */
export type Run = (
  args: readonly string[],
  inputs?: readonly Uint8Array[],
) => Promise<{ readonly isOk: boolean; readonly output: string }>;

/** Returns a function that runs a program to its end. It rejects only if no program can be started now. */
export function createRunner(file: string, env: BoxedProgram["environment"], timeoutMs: number): Run {
  return async (args, inputs = []) => {
    let output = "";
    const running = runProcess({
      file,
      args,
      inputs,
      cwd: "/",
      env,
      rest: "ignore",
      signal: AbortSignal.timeout(timeoutMs),
      onOutput: ({ text }) => void (output = `${output}${text}`.slice(-MAX_OUTPUT)),
    });
    const { exitCode } = await running.catch(unlessScarce);
    return { isOk: exitCode === 0, output: output.trim() || "it failed without output" };
  };
}
