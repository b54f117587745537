import { readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../../util/async/attempt.ts";
import { defined } from "../../util/json/defined.ts";
import { systemCode } from "../paths/file-fault.ts";

/** Identifies a process uniquely: a later one with the same pid differs in `start` or `boot`. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time in the notation of the system; null if unknown. */
  readonly start: string | null;
  /** The id of the current boot; null if unknown. */
  readonly boot: string | null;
  /** The pid namespace, in which alone the pid is valid: a container has its own. Not everything that stores an identity stores it. */
  readonly namespace?: string;
}

/** Returns the identity of this process. */
export function currentProcess(): ProcessIdentity {
  const namespace = attempt(() => readlinkSync(NAMESPACE));
  return { pid: process.pid, start: readStart(process.pid), boot: readBoot(), ...defined({ namespace }) };
}

/** Returns true for a process of another pid namespace and this boot. `isAlive` cannot see it: it may run even if no process here has its pid. */
export function isElsewhere({ namespace, boot }: ProcessIdentity): boolean {
  if (namespace === undefined || boot !== readBoot()) return false;
  return namespace !== attempt(() => readlinkSync(NAMESPACE));
}

/** Returns true for the identity of one and the same process. */
export function isSameProcess(left: ProcessIdentity, right: ProcessIdentity): boolean {
  return left.pid === right.pid && left.start === right.start && left.boot === right.boot;
}

/** Returns true if `isAlive` can see the process: it runs, or ran, since the last boot of this machine and in the same pid namespace. */
export function isSameMachine({ namespace, boot }: ProcessIdentity): boolean {
  return boot === readBoot() && namespace === attempt(() => readlinkSync(NAMESPACE));
}

const NAMESPACE = "/proc/self/ns/pid";

/** Returns false if exactly this process has ended, even if its pid was reused; true if unknown. */
export function isAlive(identity: ProcessIdentity): boolean {
  const boot = readBoot();
  if (boot !== null && identity.boot !== null && boot !== identity.boot) return false;
  if (!hasPid(identity.pid)) return false;
  const start = readStart(identity.pid);
  if (start === ENDED) return false;
  // Without a start time, either the system has none, or the process has just ended.
  if (start === null) return hasPid(identity.pid);
  return identity.start === null || start === identity.start;
}

/** Returns the start time in a line of /proc/PID/stat, or "ended" for a zombie. */
export function parseStat(stat: string): string | null {
  // The command name is in parentheses and may contain spaces and parentheses, so fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  if (state === "Z" || state === "X") return ENDED;
  return fields[STARTTIME - STATE] ?? null;
}

/** Returns the start time in the output of `ps -o stat=,lstart=`, or "ended" for a zombie. */
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
  // Zero and negative numbers are process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

function readStart(pid: number): string | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return readStartFromPs(pid);
  }
}

function readStartFromPs(pid: number): string | null {
  try {
    const options = { encoding: "utf8", env: { LC_ALL: "C", PATH: "/bin:/usr/bin" }, stdio: "pipe" } as const;
    // Loaded on use; not needed on systems with /proc.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return parsePs(execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], options));
  } catch {
    return null;
  }
}

function readBoot(): string | null {
  return attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) ?? null;
}
