import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { attempt } from "../../util/async/attempt.ts";
import { loadCrypto } from "../crypto.ts";
import { currentProcess, isAlive, isElsewhere } from "../process/identity.ts";
import { identityName, parseIdentityName } from "../process/identity-name.ts";
import type { BoxedProgram, BoxLimits } from "./types.ts";

const ROOT = "/sys/fs/cgroup";
const REMOVE_ATTEMPTS = 50;
const REMOVE_MS = 20;

/**
 * Returns the program so that it starts in a control group of its own, which limits the memory and the number of all its processes
 * together; the program as it is if this user can create none.
 */
export function intoCgroup(program: BoxedProgram, limits: BoxLimits | undefined): BoxedProgram {
  if (limits?.tmpBytes === undefined || process.platform !== "linux") return program;
  const name = `toolwright-${identityName(currentProcess())}.${loadCrypto().randomUUID().slice(0, 8)}`;
  const groups = createUnified(name, limits) ?? createSeparate(name, limits);
  if (groups.length === 0) return program;
  for (const group of groups) removeAbandoned(dirname(group));
  // A user who may create a group may still be refused to move a process into it.
  const enter = groups
    .map((_, index) => `{ echo $$ > "$${index + 1}/cgroup.procs"; } 2>/dev/null;`)
    .join(" ");
  const args = ["-c", `${enter} shift ${groups.length}; exec "$@"`, "sh", ...groups];
  return {
    ...program,
    file: "/bin/sh",
    args: [...args, program.file, ...program.args],
    async atEnd() {
      await program.atEnd?.();
      await Promise.all(groups.map(remove));
    },
  };
}

/** Creates a group of version 2: in that of this process, or in one above it that passes the controllers on. */
function createUnified(name: string, limits: BoxLimits): readonly string[] | undefined {
  for (let folder = ownGroup(""); folder !== undefined && folder.startsWith(ROOT); folder = dirname(folder)) {
    const group = join(folder, name);
    if (create(group, { "memory.max": limits.memoryBytes, "pids.max": limits.processes })) {
      set(group, "memory.swap.max", 0);
      return [group];
    }
  }
  return undefined;
}

/** Creates groups of version 1, which has one tree for each controller. */
function createSeparate(name: string, { memoryBytes, processes }: BoxLimits): readonly string[] {
  const wanted = [
    ["memory", { "memory.limit_in_bytes": memoryBytes }],
    ["pids", { "pids.max": processes }],
  ] as const;
  return wanted.flatMap(([controller, values]) => {
    const group = join(ownGroup(controller) ?? join(ROOT, controller), name);
    if (!create(group, values)) return [];
    if (controller === "memory") set(group, "memory.memsw.limit_in_bytes", memoryBytes);
    return [group];
  });
}

/** Returns the folder of this process's group; for version 2 the controller has no name. */
function ownGroup(controller: string): string | undefined {
  const groups = attempt(() => readFileSync("/proc/self/cgroup", "utf8")) ?? "";
  const line = groups.split("\n").find((one) => one.split(":")[1] === controller);
  return line === undefined ? undefined : join(ROOT, controller, line.split(":").slice(2).join(":"));
}

function create(group: string, values: Readonly<Record<string, number>>): boolean {
  try {
    mkdirSync(group);
  } catch {
    return false;
  }
  const isSet = Object.entries(values).every(([file, value]) => set(group, file, value));
  if (!isSet) rmdirSync(group);
  return isSet;
}

/** Returns false if the group has no such limit, or this user may not set it. */
function set(group: string, file: string, value: number): boolean {
  try {
    // Writing would create a file where it is no control group.
    if (!existsSync(join(group, file))) return false;
    writeFileSync(join(group, file), String(value));
    return true;
  } catch {
    return false;
  }
}

const OUR_GROUP = /^toolwright-([\w-]+)\.\w{8}$/;

/** Removes the groups of processes that were killed. */
function removeAbandoned(folder: string): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const owner = parseIdentityName(OUR_GROUP.exec(name)?.[1] ?? "");
    if (owner === undefined || isElsewhere(owner) || isAlive(owner)) continue;
    attempt(() => rmdirSync(join(folder, name)));
  }
}

/** Removes a group, which may have ended processes for a moment longer. */
async function remove(group: string): Promise<void> {
  for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt += 1) {
    try {
      return await rmdir(group);
    } catch {
      await wait(REMOVE_MS);
    }
  }
}
