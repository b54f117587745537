import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { systemCode } from "../paths/file-fault.ts";

const RETRY_MS = 20;
const MAX_RETRIES = 250;

/** Reads a file of /proc. Returns undefined if the process has ended or is another user's, or there is no /proc. Throws if no file can be opened. */
export function readProc(path: string): string | undefined {
  return unlessGone(() => readFileSync(`/proc/${path}`, "utf8"));
}

/** Returns the pids in /proc; undefined if there is none. Throws if no file can be opened. */
export function listProc(): readonly number[] | undefined {
  return unlessGone(() => readdirSync("/proc").map(Number).filter(Boolean));
}

/** Returns the fields of /proc/PID/stat from the state on: field `n` of `man 5 proc_pid_stat` at `n - 3`. Throws if no file can be opened. */
export function readStat(pid: number): readonly string[] | undefined {
  const text = readProc(`${pid}/stat`);
  // The name is in parentheses and may contain spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields === undefined || ENDED.has(fields[0] ?? "") ? undefined : fields;
}

/** Zombies, and what is about to be removed. */
const ENDED = new Set(["Z", "X"]);
const [VSIZE, ENV_START, ENV_END] = [20, 47, 48];

/**
 * Returns the environment of a process; an empty text if it has none, has ended or is another user's. Returns undefined while exec
 * replaces its program: its environment is then empty for a moment. Throws if no file can be opened.
 */
export function readEnvironment(pid: number): string | undefined {
  for (let again = 0; again < 3; again += 1) {
    const text = readProc(`${pid}/environ`);
    if (text !== "") return text ?? "";
    const stat = readStat(pid);
    // What has no memory is a thread of the kernel, or ends.
    if (stat === undefined || stat[VSIZE] === "0") return "";
    if (stat[ENV_END] === "0") return undefined;
    if (stat[ENV_START] === stat[ENV_END]) return "";
    // It was replaced between opening and reading.
  }
  return undefined;
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isExhausted(error)) throw error;
    return undefined;
  }
}

/** Calls a function that reads /proc, again and again for five seconds while no file can be opened: processes must not be missed for that. */
export async function retryRead<T>(read: () => T): Promise<T> {
  for (let retry = 0; retry < MAX_RETRIES; retry += 1) {
    try {
      return read();
    } catch (error) {
      if (!isExhausted(error)) throw error;
      await setTimeout(RETRY_MS);
    }
  }
  return read();
}

/** Returns true for the error that too many files are open. */
function isExhausted(error: unknown): boolean {
  const code = systemCode(error);
  return code === "EMFILE" || code === "ENFILE";
}
