import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { fileFault, systemCode } from "../paths/file-fault.ts";
import { parseMountPoints } from "../paths/mounts.ts";
import { createMarker } from "../process/marker.ts";
import type { Roster } from "../process/roster.ts";
import { isInUse, makeTemporaryFolder } from "../process/temporary-folder.ts";
import { protectedPaths } from "./types.ts";

/** The placeholder of a file: without meaning, and valid for every program that reads `.mcp.json`. */
const NO_SERVERS = '{ "mcpServers": {} }\n';
/** The time of change that marks a placeholder: a folder of the user, even an empty one, has another. */
const MARK = new Date("2001-01-01T00:00:21Z");
/** If this user may not create a name, neither may the program in the sandbox. */
const NOT_OURS: ReadonlySet<string | undefined> = new Set(["EEXIST", "EACCES", "EPERM", "EROFS", "ENOENT"]);

/** The last wait for the end of a killed sandbox; each is twice as long as the one before. */
const LAST_WAIT_MS = 1280;
const FIRST_WAIT_MS = 10;
/** A process that was killed while it created placeholders had created them this soon after its record. */
const CREATION_MS = 10_000;

/** The file, in a temporary folder of the process, that lists the names it reserves. */
const RECORD = "reserved.json";

/**
 * Creates the protected names that a workspace lacks, because only an existing file can be mounted read-only. Returns a function
 * that removes the unused ones again, unless another sandbox has them mounted; it never rejects. Throws `UNAVAILABLE` if a name is a
 * link: a mount would protect the target of the link, not the link. The roster makes the next program look for what a killed one left.
 */
export async function reserveProtected(
  workspace: readonly string[],
  roster?: Roster,
): Promise<() => Promise<void>> {
  const all = protectedPaths(workspace);
  const entry = roster?.add(createMarker());
  const folder = await makeTemporaryFolder().catch((error: unknown) => {
    entry?.ended();
    throw error;
  });
  const end = async (): Promise<void> => {
    // A sandbox that was killed ends a moment after its program. If it does not, the next program finds the record.
    for (let waitMs = FIRST_WAIT_MS; !releaseOwn(folder, all); waitMs *= 2) {
      if (waitMs > LAST_WAIT_MS) return;
      await sleep(waitMs);
    }
    attempt(() => rmSync(folder, { recursive: true, force: true }));
    entry?.ended();
  };
  try {
    const missing = all.filter((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined);
    writeFileSync(join(folder, RECORD), JSON.stringify({ all, missing } satisfies Reserved));
    for (const path of all) reserve(path);
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** Removes the marked placeholders that no other process has reserved. Returns false if that has to be tried again. */
function releaseOwn(folder: string, all: readonly string[]): boolean {
  return attempt(() => release(notReserved(folder, all), isMarked)) ?? false;
}

/**
 * Removes the unused placeholders that the dead process of a temporary folder has left, except those that another process has reserved
 * too. Returns false if some are still mounted: they can be removed later.
 */
export function releaseAbandoned(folder: string): boolean {
  const { all, missing } = recordIn(folder);
  if (all.length === 0) return true;
  const { mtimeMs } = lstatSync(join(folder, RECORD));
  // The process may have been killed before it marked what it had created.
  const isNew = (path: string, time: number): boolean =>
    missing.includes(path) && time >= mtimeMs && time < mtimeMs + CREATION_MS;
  return release(notReserved(folder, all), (path, time) => isMarked(path, time) || isNew(path, time));
}

/** Returns the names that no record of another sandbox has; those of dead processes do not count. */
function notReserved(folder: string, names: readonly string[]): readonly string[] {
  const base = dirname(folder);
  const others = readdirSync(base).filter((name) => isInUse(name) && name !== basename(folder));
  const reserved = new Set(others.flatMap((name) => recordIn(join(base, name)).all));
  return names.filter((name) => !reserved.has(name));
}

interface Reserved {
  readonly all: readonly string[];
  /** Those that did not exist before. */
  readonly missing: readonly string[];
}

function recordIn(folder: string): Reserved {
  const record = parseJson(attempt(() => readFileSync(join(folder, RECORD), "utf8")) ?? "");
  const { all, missing } = isObject(record) ? record : {};
  return { all: pathsOf(all), missing: pathsOf(missing) };
}

function pathsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((path) => typeof path === "string" && isAbsolute(path)) : [];
}

function reserve(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new ToolError(
      "UNAVAILABLE",
      `no sandbox is available: ${path} is a link, which it cannot protect`,
      { hint: "put the file or folder itself there" },
    );
  try {
    if (isFile(path)) writeFileSync(path, NO_SERVERS, { flag: "wx" });
    else mkdirSync(path);
    utimesSync(path, MARK, MARK);
  } catch (error) {
    if (!NOT_OURS.has(systemCode(error))) throw fileFault(error, "create", path);
  }
}

type IsOurs = (path: string, mtimeMs: number) => boolean;

/** Returns false if some are still mounted. */
function release(names: readonly string[], isOurs: IsOurs): boolean {
  const unused = names.filter((path) => isUnused(path, isOurs));
  if (unused.length === 0) return true;
  const mounted = new Set(mountTables().flatMap(parseMountPoints));
  // Removing a mount point in use would end the protection of that sandbox.
  const free = unused.filter((path) => !mounted.has(path));
  for (const path of free) attempt(() => (isFile(path) ? rmSync(path) : rmdirSync(path)));
  return free.length === unused.length;
}

const isFile = (path: string): boolean => path.endsWith(".json");
const isMarked: IsOurs = (_, mtimeMs) => mtimeMs === MARK.getTime();

function isUnused(path: string, isOurs: IsOurs): boolean {
  const isEmpty = (): boolean =>
    isFile(path) ? ["", NO_SERVERS].includes(readFileSync(path, "utf8")) : readdirSync(path).length === 0;
  return attempt(() => isOurs(path, lstatSync(path).mtimeMs) && isEmpty()) ?? false;
}

/** Returns the `mountinfo` of every process that this user may inspect; none on systems without `/proc`. */
export function mountTables(): readonly string[] {
  if (!existsSync("/proc")) return [];
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.flatMap((pid) => attempt(() => readFileSync(`/proc/${pid}/mountinfo`, "utf8")) ?? []);
}
