import { ARCHIVE_PROGRAMS } from "./tables/archive.ts";
import { CONTAINER_PROGRAMS } from "./tables/containers.ts";
import { FILE_PROGRAMS } from "./tables/files.ts";
import { GIT_PROGRAMS } from "./tables/git.ts";
import { INTERPRETERS } from "./tables/interpreters.ts";
import { NETWORK_PROGRAMS } from "./tables/network.ts";
import { PACKAGE_PROGRAMS } from "./tables/packages.ts";
import type { Program } from "./tables/program.ts";
import { SEARCH_PROGRAMS } from "./tables/search.ts";
import { SHELL_PROGRAMS } from "./tables/shells.ts";
import { SYSTEM_PROGRAMS } from "./tables/system.ts";
import { SYSTEM_WRAPPERS } from "./tables/system-wrappers.ts";
import { TEXT_PROGRAMS } from "./tables/text.ts";
import { WRAPPERS } from "./tables/wrappers.ts";

const TABLES: readonly (readonly Program[])[] = [
  FILE_PROGRAMS,
  SEARCH_PROGRAMS,
  TEXT_PROGRAMS,
  GIT_PROGRAMS,
  ARCHIVE_PROGRAMS,
  NETWORK_PROGRAMS,
  INTERPRETERS,
  PACKAGE_PROGRAMS,
  CONTAINER_PROGRAMS,
  SYSTEM_PROGRAMS,
  SYSTEM_WRAPPERS,
  SHELL_PROGRAMS,
  WRAPPERS,
];

const found = new Map<string, Program>();

/** Returns the table of a program by its base name; `python3.12`, `mkfs.ext4` and `node.exe` are found by their plain names. */
export function findProgram(name: string): Program | undefined {
  if (found.size === 0) fill();
  return found.get(name) ?? found.get(plainName(name));
}

/** Returns true if the tables contain exactly this name: `cat2` is not `cat`. */
export function isKnownName(name: string): boolean {
  return findProgram(name) !== undefined && found.has(name);
}

function fill(): void {
  for (const program of TABLES.flat()) {
    for (const name of program.names.split(" ")) found.set(name, program);
  }
}

function plainName(name: string): string {
  const lower = name.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
  if (lower.startsWith("mkfs.") || lower.startsWith("newfs_")) return "mkfs";
  if (found.has(lower)) return lower;
  return lower.replace(/[-.]?\d+(?:\.\d+)*[a-z]?$/, "");
}
