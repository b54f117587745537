import { readFileSync } from "node:fs";

/** Names one process for good: a later one with the same pid differs in `start` or `boot`. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own notation; null where the system does not tell. */
  readonly start: string | null;
  /** The machine's current boot; null where the system does not tell. */
  readonly boot: string | null;
}

/** The identity of the running process. */
export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, start: readStart(process.pid), boot: readBoot() };
}

/** False once that very process has ended, whoever has its pid now; true where the system cannot tell. */
export function isAlive(identity: ProcessIdentity): boolean {
  const boot = readBoot();
  if (boot !== null && identity.boot !== null && boot !== identity.boot) return false;
  if (!hasPid(identity.pid)) return false;
  const start = readStart(identity.pid);
  if (start === ENDED) return false;
  // No start time: either the system tells none, or the process ended since it was asked.
  if (start === null) return hasPid(identity.pid);
  return identity.start === null || start === identity.start;
}

/** The start time in a line of /proc/PID/stat, or "ended" for a process that only waits to be reaped. */
export function parseStat(stat: string): string | null {
  // The command name stands in parentheses and may itself hold spaces and parentheses: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  if (state === "Z" || state === "X") return ENDED;
  return fields[STARTTIME - STATE] ?? null;
}

/** The start time in the answer of `ps -o stat=,lstart=`, or "ended" for a process that only waits to be reaped. */
export function parsePs(line: string): string | null {
  const [, state = "", start = ""] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(line) ?? [];
  if (state.startsWith("Z")) return ENDED;
  return start === "" ? null : start;
}

const ENDED = "ended";
/** Numbers of the fields in `man 5 proc_pid_stat`. */
const STATE = 3;
const STARTTIME = 22;

function hasPid(pid: number): boolean {
  // Zero and negative numbers would ask about process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isCode(error, "ESRCH");
  }
}

function readStart(pid: number): string | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return askPs(pid);
  }
}

function askPs(pid: number): string | null {
  try {
    const options = { encoding: "utf8", env: { LC_ALL: "C", PATH: "/bin:/usr/bin" }, stdio: "pipe" } as const;
    // Loaded on use: a system with /proc never needs it.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return parsePs(execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], options));
  } catch {
    return null;
  }
}

function readBoot(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return null;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
