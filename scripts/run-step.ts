import { spawnSync } from "node:child_process";

/** Runs a command with its output shown; ends this process with its code when it fails. */
export function runStep(name: string, command: readonly [string, ...string[]]): void {
  const startedAt = performance.now();
  const [program, ...args] = command;
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error) console.error(error.message);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (status !== 0) process.exit(status ?? 1);
}
