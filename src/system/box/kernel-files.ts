import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../../util/text/paths/is-within.ts";

/** Returns the folders among these that are files of the kernel or of devices: no sandbox may have them writable. */
export function kernelFoldersIn(folders: readonly string[]): readonly string[] {
  const isIn = (path: string, ...among: readonly string[]): boolean =>
    among.some((folder) => isWithin(path, folder));
  return folders.filter((one) => isIn(one, "/proc", "/sys", "/dev") && !isIn(one, "/dev/shm"));
}

/**
 * Returns the mounts for bubblewrap after which nothing in /proc can be written but, with `ownProcesses`, what belongs to the processes of the sandbox.
 * Everything is covered whose name the kernel has here: bubblewrap itself covers only what it may write while it has no capability.
 */
export function coverProc(ownProcesses = false): readonly string[] {
  if (!ownProcesses) return ["--remount-ro", "/proc"];
  return writableInProc().flatMap((path) => ["--ro-bind", path, path]);
}

/** What podman itself has read-only or empty. */
const COVERED_BY_PODMAN: ReadonlySet<string> = new Set(
  ["asound", "bus", "fs", "irq", "sys", "sysrq-trigger", "acpi", "scsi", "timer_list"].map(
    (name) => `/proc/${name}`,
  ),
);

/** Returns the paths of the kernel that podman must be told to replace by empty ones. */
export function kernelPathsToMask(): readonly string[] {
  return [...writableInProc().filter((path) => !COVERED_BY_PODMAN.has(path)), "/sys/fs/cgroup"];
}

/** Returns what is in /proc, besides the processes, and may be written by some user. */
function writableInProc(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^[a-z]/.test(name))
    .map((name) => join("/proc", name))
    .filter(isWritable);
}

const WRITE_BITS = 0o222;

/** Returns true for a folder, and for a file that some user may write; `self` and `net` are links. */
function isWritable(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return false;
  return stats.isDirectory() || (stats.mode & WRITE_BITS) !== 0;
}

/** Each is writable for root where the sandbox does not cover it. Existing ones are opened, and nothing is written. */
const TRIED = [
  "/proc/sys/kernel/core_pattern",
  "/proc/sys/kernel/hostname",
  "/proc/sys/kernel/ns_last_pid",
  "/proc/sys/vm/overcommit_memory",
  "/proc/sysrq-trigger",
  "/proc/irq/default_smp_affinity",
  "/proc/mtrr",
  "/sys/power/state",
  "/sys/kernel/uevent_helper",
  "/sys/kernel/mm/ksm/run",
  "/sys/fs/cgroup/cgroup.procs",
  "/sys/fs/cgroup/memory/cgroup.procs",
];

/** Prints which files can be opened for writing, and whether a filter of system calls is on. Starts no other program. */
const SCRIPT = [
  // What covers a file is no regular one.
  'for file; do if [ -f "$file" ] && { true >> "$file"; } 2>/dev/null; then echo "open: $file"; fi; done',
  'while read -r name value; do if [ "$name" = Seccomp: ]; then echo "filter: $value"; fi; done < /proc/self/status',
  "echo checked",
].join("; ");

/** A program to run in a sandbox; `parseCheck` reads what it prints. */
export const CHECK: readonly string[] = ["/bin/sh", "-c", SCRIPT, "sh", ...TRIED];

/** What a check found in a sandbox. */
export interface Checked {
  /** Files of the kernel that can be opened for writing there. */
  readonly open: readonly string[];
  readonly hasFilter: boolean;
}

/** Reads the output of `CHECK`; undefined if it did not run to its end. */
export function parseCheck(output: string): Checked | undefined {
  if (!/^checked$/m.test(output)) return undefined;
  const open = [...output.matchAll(/^open: (.+)$/gm)].map(([, file = ""]) => file);
  return { open, hasFilter: /^filter: 2$/m.test(output) };
}

/** Says why a sandbox in which files of the kernel can be written is not used. */
export function describeHole({ open }: Checked): string {
  return `in its sandboxes root could write ${open.slice(0, 3).join(", ")}`;
}
