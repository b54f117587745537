import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

/**
 * Root may do everything, so as root a permission test proves nothing. Root without capabilities is bound by the mode of each file like
 * its owner is, and, unlike another user, can still read a clone in a folder of root's own.
 */
export const BOUND_BY_PERMISSIONS: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];

export interface ChildScript {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** The address of a source file, for an import in a child's script. */
export function sourceUrl(path: string): string {
  return pathToFileURL(path).href;
}

/** Runs a piece of JavaScript in a Node of its own, with flags of Node's where they matter. */
export function runScript(script: string, flags: readonly string[] = []): ChildScript {
  return run(process.execPath, [...flags, "--input-type=module", "-e", script]);
}

/** Like `runScript`, in a process that may open only this many files. */
export function runScriptWithDescriptors(script: string, count: number): ChildScript {
  const node = [process.execPath, "--input-type=module", "-e", script];
  return run("sh", ["-c", `ulimit -n ${count}; exec "$@"`, "sh", ...node]);
}

/** Like `runScript`, as a user whom permissions bind. */
export function runScriptAsNobody(script: string): ChildScript {
  const [file, ...args] = [...BOUND_BY_PERMISSIONS, process.execPath, "--input-type=module", "-e", script];
  return run(file, args);
}

function run(file: string, args: readonly string[]): ChildScript {
  const { stdout, stderr, status } = spawnSync(file, args, { encoding: "utf8" });
  return { stdout, stderr, exitCode: status };
}
