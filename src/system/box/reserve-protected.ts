import {
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

const TRIES = 100;
const RETRY_MS = 20;

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
  const folder = await makeTemporaryFolder();
  const end = async (): Promise<void> => {
    // A sandbox that was killed ends a moment after its program. If it does not, the next program finds the record.
    for (let left = TRIES; attempt(() => releaseAbandoned(folder)) === false; left -= 1) {
      if (left === 0) return;
      await sleep(RETRY_MS);
    }
    rmSync(folder, { recursive: true, force: true });
    entry?.ended();
  };
  try {
    writeFileSync(join(folder, RECORD), JSON.stringify(all));
    for (const path of all) reserve(path);
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/**
 * Removes the unused placeholders that the process of a temporary folder has left, except those that another process has reserved too.
 * Returns false if some are still mounted: they can be removed later.
 */
export function releaseAbandoned(folder: string): boolean {
  const left = recordIn(folder);
  if (left.length === 0) return true;
  const reserved = reservedByOthers(folder);
  // The process may have been killed before it marked what it had created.
  const since = lstatSync(join(folder, RECORD)).mtimeMs;
  return release(
    left.filter((path) => !reserved.has(path)),
    since,
  );
}

/** Returns the names that the records of other sandboxes have, except those of dead processes. */
function reservedByOthers(folder: string): ReadonlySet<string> {
  const base = dirname(folder);
  const others = readdirSync(base).filter((name) => isInUse(name) && name !== basename(folder));
  return new Set(others.flatMap((name) => recordIn(join(base, name))));
}

function recordIn(folder: string): readonly string[] {
  const paths = parseJson(attempt(() => readFileSync(join(folder, RECORD), "utf8")) ?? "");
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string" && isAbsolute(path)) : [];
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

/** Returns false if some are still mounted. */
function release(all: readonly string[], since: number): boolean {
  const unused = all.filter((path) => isPlaceholder(path, since));
  if (unused.length === 0) return true;
  const mounted = new Set(mountTables().flatMap(parseMountPoints));
  // Removing a mount point in use would end the protection of that sandbox.
  const free = unused.filter((one) => !mounted.has(one));
  for (const path of free) attempt(() => (isFile(path) ? rmSync(path) : rmdirSync(path)));
  return free.length === unused.length;
}

const isFile = (path: string): boolean => path.endsWith(".json");

function isPlaceholder(path: string, since: number): boolean {
  const isUnused = (): boolean =>
    isFile(path) ? ["", NO_SERVERS].includes(readFileSync(path, "utf8")) : readdirSync(path).length === 0;
  const isOurs = (time: number): boolean => time === MARK.getTime() || time >= since;
  return attempt(() => isOurs(lstatSync(path).mtimeMs) && isUnused()) ?? false;
}

/** Returns the `mountinfo` of every process that this user may inspect. */
export function mountTables(): readonly string[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.flatMap((pid) => attempt(() => readFileSync(`/proc/${pid}/mountinfo`, "utf8")) ?? []);
}
