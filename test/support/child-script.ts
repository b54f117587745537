import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

const AS_NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];

export interface ChildScript {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** The address of a source file, for an import in a child's script. */
export function sourceUrl(path: string): string {
  return pathToFileURL(path).href;
}

/** Runs a piece of JavaScript in a Node of its own. */
export function runScript(script: string): ChildScript {
  return run(process.execPath, ["--input-type=module", "-e", script]);
}

/** Like `runScript`, as an ordinary user: root may do everything, so as root a permission test proves nothing. */
export function runScriptAsNobody(script: string): ChildScript {
  if (process.getuid?.() !== 0) return runScript(script);
  return run("setpriv", [...AS_NOBODY, process.execPath, "--input-type=module", "-e", script]);
}

function run(file: string, args: readonly string[]): ChildScript {
  const { stdout, stderr, status } = spawnSync(file, args, { encoding: "utf8" });
  return { stdout, stderr, exitCode: status };
}
