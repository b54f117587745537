import { globSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { TestGroup } from "./run-group.ts";

/** Rooms whose unit tests need no other process, for `npm run test:quick`. */
const QUICK_ROOMS = new Set([
  "core",
  "util",
  "secrets",
  "json-schema",
  "schema",
  "shell",
  "policy",
  "formats",
  "engine",
  "models",
  "agent",
  "store",
  "web",
]);
/** A unit test that starts other processes has it in its name, and one that tries more in a long run. */
const PROCESS = ".process.";
const WIDE = ".wide.";

/** What takes longest, by room, family or folder. It starts first, so that all workers end at about the same time. */
const LONGEST: readonly string[] = [
  "tools",
  "test/flows",
  "test/flows/cli",
  "sources",
  "test/flows/mcp",
  "test/flows/fleet",
  "test/boundary",
  "test/faults",
  "test/flows/repl",
  "app",
  "store",
  "test/flows/mcp-gateway",
  "system",
  "test/flows/tool",
  "engine",
  "json-schema",
  "schema",
  "test/flows/libexec",
  "test/contracts",
  "test/flows/model",
  "test",
  "test/flows/serve",
  "test/faults/system-calls.wide.test.ts",
  "remote",
  "test/flows/session",
  "models",
  "agent",
  "shell",
];

/** Large families of flow tests; each has a process of its own. */
const FAMILY = /^test\/flows\/(?:cli|fleet|libexec|mcp-gateway|mcp|model|repl|serve|session|tool)/;
/** It replaces functions of Node before any other code takes them. */
const ALONE = "test/faults/system-calls.wide.test.ts";

/**
 * Returns all tests. The unit tests of a room share a process; so do those that cross rooms, by family or folder: loading the sources
 * takes longer than many of them.
 */
export function allGroups(): readonly TestGroup[] {
  const crossing = groupsBy(
    globSync("test/**/*.test.ts", { exclude: ["test/long/**"] }),
    (file) => FAMILY.exec(file)?.[0] ?? (file === ALONE ? file : dirname(file)),
  );
  return [...roomGroups(), ...crossing].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the tests that start no process and wait for none. */
export function quickGroups(): readonly TestGroup[] {
  return roomGroups()
    .filter(({ name }) => QUICK_ROOMS.has(name))
    .map((group) => ({
      ...group,
      files: group.files.filter((file) => !file.includes(PROCESS)),
    }));
}

/** Returns long, wide and randomised tests: those in `test/long`, and all others that try more in a long run. */
export function longGroups(): readonly TestGroup[] {
  const properties = allGroups().map((group) => ({
    ...group,
    files: group.files.filter((file) => file.includes(WIDE)),
  }));
  const long = fileGroups(globSync("test/long/**/*.test.ts"));
  return [...long, ...properties.filter(({ files }) => files.length > 0)].map((group) => ({
    ...group,
    isLong: true,
  }));
}

/** Returns a group for each file, so that it has a process of its own. */
export function fileGroups(files: readonly string[]): readonly TestGroup[] {
  return [...files].sort().map((file) => ({ name: file, files: [file] }));
}

/** Returns a group for each test file, and for each of those in the folders. Throws if a path has no test. */
export function groupsAt(paths: readonly string[]): readonly TestGroup[] {
  const testFiles = paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const files = stats?.isDirectory() === true ? globSync(`${path}/**/*.test.ts`) : stats && [path];
    if (files === undefined || files.length === 0) throw new Error(`there is no test at ${path}`);
    return files;
  });
  return fileGroups(testFiles);
}

function roomGroups(): readonly TestGroup[] {
  return groupsBy(globSync(["src/**/*.test.ts", "web/**/*.test.ts"]), roomOf);
}

function groupsBy(files: readonly string[], nameOf: (file: string) => string): readonly TestGroup[] {
  const groups = Object.groupBy([...files].sort(), nameOf);
  return Object.entries(groups).map(([name, members = []]) => ({ name, files: members }));
}

function roomOf(file: string): string {
  const [top = "", room = ""] = file.split("/");
  return top === "src" ? room : top;
}

function rankOf({ name }: TestGroup): number {
  const rank = LONGEST.indexOf(name);
  return rank < 0 ? LONGEST.length : rank;
}
