import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { systemCode } from "../paths/file-fault.ts";

const RETRY_MS = 20;
const MAX_RETRIES = 250;

/** Reads a file of /proc. Returns undefined if the process has ended or is another user's, or there is no /proc. Throws if no file can be opened. */
export function readProc(path: string): string | undefined {
  return unlessGone(() => readFileSync(`/proc/${path}`, "latin1"));
}

/** Returns the pids in /proc; undefined if there is none. Throws if no file can be opened. */
export function listProc(): readonly number[] | undefined {
  return unlessGone(() => readdirSync("/proc").map(Number).filter(Boolean));
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
