import { gitPrograms } from "./tables/git.ts";
import type { Program } from "./tables/program.ts";
import { readers, VERSION_PROBES } from "./tables/readers.ts";
import { runners } from "./tables/runners.ts";
import { searchers } from "./tables/searchers.ts";
import { shells } from "./tables/shells.ts";
import { starters } from "./tables/starters.ts";
import { writers } from "./tables/writers.ts";

/** Functions: a program that reads no command builds no table. */
const TABLES: readonly (() => readonly Program[])[] = [
  readers,
  searchers,
  writers,
  gitPrograms,
  runners,
  starters,
  shells,
];

const programsByName = new Map<string, Program>();
/** Those of the table `runners`. */
const own = new Set<Program>();
const probes = new Set<string>();

/** Returns the table of a program by its base name; `python3.12`, `mkfs.ext4` and `node.exe` are found by their plain names. */
export function findProgram(name: string): Program | undefined {
  if (programsByName.size === 0) fill();
  return programsByName.get(name) ?? programsByName.get(plainName(name));
}

/** Returns true for a program that runs code in its own language, of packages and projects, or in containers. */
export function isRunner(name: string): boolean {
  const program = findProgram(name);
  return program !== undefined && own.has(program);
}

/** Returns true for interpreters, task runners and package runners. */
export function runsCode(name: string): boolean {
  const kind = findProgram(name)?.ungrantable;
  return kind === "interpreter" || kind === "task runner" || kind === "package runner";
}

/** Returns true if the tables contain exactly this name: `cat2` is not `cat`. */
export function isKnownName(name: string): boolean {
  return findProgram(name) !== undefined && programsByName.has(name);
}

/** Returns true if the program only prints its version with this argument. */
export function isVersionProbe(program: string, option: string): boolean {
  if (programsByName.size === 0) fill();
  return probes.has(`${program} ${option}`);
}

function fill(): void {
  for (const table of TABLES)
    for (const program of table()) {
      if (table === runners) own.add(program);
      for (const name of program.names.split(" ")) programsByName.set(name, program);
    }
  for (const [names, options] of Object.entries(VERSION_PROBES)) {
    for (const name of names.split(" "))
      for (const option of options.split(" ")) probes.add(`${name} ${option}`);
  }
}

function plainName(name: string): string {
  const lower = name.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
  if (lower.startsWith("mkfs.") || lower.startsWith("newfs_")) return "mkfs";
  if (programsByName.has(lower)) return lower;
  return lower.replace(/[-.]?\d+(?:\.\d+)*[a-z]?$/, "");
}
