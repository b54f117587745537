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

/** All tests: a room's unit tests share a process; tests in `test/` start processes and get one each. */
export function allGroups(): readonly TestGroup[] {
  const crossing: TestGroup = {
    name: "test",
    files: globSync("test/**/*.test.ts", { exclude: ["test/long/**"] }).sort(),
    isolation: "process",
    concurrency: 2,
  };
  return [crossing, ...roomGroups()];
}

/** The tests that start no process and wait for none. */
export function quickGroups(): readonly TestGroup[] {
  return roomGroups()
    .filter(({ name }) => QUICK_ROOMS.has(name))
    .map((group) => ({
      ...group,
      files: group.files.filter((file) => !USES_PROCESSES.test(readFileSync(file, "utf8"))),
    }));
}

/** Long, wide and randomised tests: those in `test/long`, and the properties of every room with more examples. */
export function longGroups(): readonly TestGroup[] {
  const properties = roomGroups().map((group) => ({
    ...group,
    files: group.files.filter((file) => readFileSync(file, "utf8").includes('"fast-check"')),
  }));
  const long: TestGroup = {
    name: "long",
    files: globSync("test/long/**/*.test.ts").sort(),
    isolation: "process",
  };
  return [long, ...properties.filter(({ files }) => files.length > 0)].map((group) => ({
    ...group,
    isLong: true,
  }));
}

/** Files that were named on the command line, each in a process of its own. */
export function namedGroups(files: readonly string[]): readonly TestGroup[] {
  return [{ name: "named", files, isolation: "process", concurrency: 2 }];
}

function roomGroups(): readonly TestGroup[] {
  const rooms = Object.groupBy(globSync("src/**/*.test.ts").sort(), roomOf);
  return Object.entries(rooms).map(([name, files = []]) => ({ name, files, isolation: "none" }));
}

function roomOf(file: string): string {
  const [, room = "", part = ""] = file.split("/");
  return room === "app" ? `${room}/${part}` : room;
}
