import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

/** A user without a name and without files. */
export const USER = 54_321;
/** The program, with arguments, that starts another as that user. */
export const AS_USER = [
  "setpriv",
  "--reuid",
  String(USER),
  "--regid",
  String(USER),
  "--clear-groups",
  "--inh-caps=-all",
] as const;

/** For a test's `skip` option: why nothing can be run as an ordinary user by this one, who is root. */
export function withoutUser(): string | false {
  if (process.getuid?.() !== 0) return "the tests run as an ordinary user already";
  const script = `require("node:fs").readFileSync(${JSON.stringify(resolve("node_modules/.bin/tsc"))})`;
  const [file, ...before] = AS_USER;
  const { status } = spawnSync(file, [...before, process.execPath, "-e", script]);
  if (status !== 0) return "an ordinary user cannot read this folder";
  return spawnSync(file, [...before, "bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0
    ? false
    : "an ordinary user cannot create namespaces here";
}
