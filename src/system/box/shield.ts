import { readFileSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { findProgram } from "./find-program.ts";

/**
 * The capability that a shielded program has and those that it starts give up: a process can only trace, or read the memory of, one that has no
 * capability that it lacks itself. In a sandbox that grants no other, all it can do is to give up capabilities.
 */
export const SHIELD = "CAP_SETPCAP";
const SHIELD_BIT = 8n;

/** Returns the program, with arguments, that starts others without the capability of this process; none if this process is not shielded. */
export function withoutShield(): readonly string[] | undefined {
  const status = attempt(() => readFileSync("/proc/self/status", "utf8")) ?? "";
  const [, permitted = "0"] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  if (((BigInt(`0x${permitted}`) >> SHIELD_BIT) & 1n) === 0n) return undefined;
  const setpriv = findProgram("setpriv", "/usr/bin:/bin");
  // That of BusyBox cannot do it.
  if (setpriv === undefined || basename(realpathSync(setpriv)) !== "setpriv") return undefined;
  return [setpriv, "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"];
}
