import { globSync, readFileSync } from "node:fs";
import type { TestGroup } from "./run-group.ts";

/** Rooms whose unit tests need no other process, for `npm run test:quick`. */
const QUICK_ROOMS = new Set([
  "core",
  "util",
  "schema",
  "shell",
  "policy",
  "engine",
  "models",
  "agent",
  "store",
]);
const USES_PROCESSES = /child_process|support\/(?:child-script|programs|real-shells|is-running|compile)/;

const TRIES_MORE = /"fast-check"|import \{ (?:isLong|runs)\b/;

/** What takes longest, by room or file. It starts first, so that all workers end at about the same time. */
const LONGEST: readonly string[] = [
  "tools",
  "test/flows/mcp-gateway",
  "test/flows/cli",
  "test/flows/mcp",
  "test/boundary/",
  "sources",
  "test/flows/repl",
  "store",
  "test/flows/fleet",
  "test/contracts/",
  "models",
  "system",
  "schema",
  "test/flows/libexec",
  "engine",
  "agent",
  "app/repl",
  "test/flows/tool",
  "test/flows/serve",
  "shell",
  "test/examples.test.ts",
];

/** Tests that cross rooms and share a process: loading the sources takes longer than many of them. */
const FAMILY =
  /^test\/(?:boundary\/|contracts\/|flows\/(?:acp|agent|cli|fleet|journal|libexec|mcp-gateway|mcp|model|repl|sdk|serve|session|team|tool))/;

/** Returns all tests: the unit tests of a room share a process, so do families of files in `test/`; other files have their own. */
export function allGroups(): readonly TestGroup[] {
  const crossing = groupsBy(
    globSync("test/**/*.test.ts", { exclude: ["test/long/**"] }),
    (file) => FAMILY.exec(file)?.[0] ?? file,
  );
  return [...roomGroups(), ...crossing].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the tests that start no process and wait for none. */
export function quickGroups(): readonly TestGroup[] {
  return roomGroups()
    .filter(({ name }) => QUICK_ROOMS.has(name))
    .map((group) => ({
      ...group,
      files: group.files.filter((file) => !USES_PROCESSES.test(readFileSync(file, "utf8"))),
    }));
}

/** Returns long, wide and randomised tests: those in `test/long`, and all others that try more in a long run. */
export function longGroups(): readonly TestGroup[] {
  const properties = allGroups().map((group) => ({
    ...group,
    files: group.files.filter((file) => TRIES_MORE.test(readFileSync(file, "utf8"))),
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

function roomGroups(): readonly TestGroup[] {
  return groupsBy(globSync("src/**/*.test.ts"), roomOf);
}

function groupsBy(files: readonly string[], nameOf: (file: string) => string): readonly TestGroup[] {
  const groups = Object.groupBy([...files].sort(), nameOf);
  return Object.entries(groups).map(([name, members = []]) => ({ name, files: members }));
}

function roomOf(file: string): string {
  const [, room = "", part = ""] = file.split("/");
  return room === "app" ? `${room}/${part}` : room;
}

function rankOf({ name }: TestGroup): number {
  const rank = LONGEST.indexOf(name);
  return rank < 0 ? LONGEST.length : rank;
}
