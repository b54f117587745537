import { spawnSync } from "node:child_process";
import { delimiter, resolve } from "node:path";

/** Runs a command of this machine or of node_modules with its output shown; ends this process with its code when it fails. */
export function runStep(name: string, command: readonly [string, ...string[]]): void {
  const startedAt = performance.now();
  const [program, ...args] = command;
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const { status, error } = spawnSync(program, args, {
    stdio: "inherit",
    env: { ...process.env, PATH: path },
  });
  if (error) console.error(error.message);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (status !== 0) process.exit(status ?? 1);
}
