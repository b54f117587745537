import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import { isAlive, type ProcessIdentity } from "../../system/process/identity.ts";
import { attempt } from "../../util/async/attempt.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { openArtifact } from "../artifacts/artifact-file.ts";
import { parseArtifactName } from "../artifacts/artifact-names.ts";
import { databasePath } from "../open-store.ts";
import { damageOf, headerProblems, isNewer } from "./damage.ts";
import { openReadable, unlessDamaged } from "./open-readable.ts";
import { pendingRecovery } from "./recovery-mark.ts";

export interface StoreReport {
  readonly path: string;
  /** A sentence for each thing that is damaged; empty for a whole store. */
  readonly problems: readonly string[];
  /** The version of its schema; null if the database cannot be read. */
  readonly version: number | null;
  /** A newer Toolwright has created it: this one cannot use it. */
  readonly isNewer: boolean;
  /** Where the damaged store is whose recovery was interrupted, and whose other calls `recover` adds; null if there is none. */
  readonly unfinishedRecovery: string | null;
  readonly bytes: number;
  /** Bytes of the database that hold nothing; `compact` returns them to the disk. */
  readonly freeBytes: number;
  readonly logBytes: number;
  /** Calls by state. */
  readonly calls: Readonly<Record<string, number>>;
  /** Documents by collection. */
  readonly documents: Readonly<Record<string, number>>;
  readonly artifacts: number;
  /** The ids of the running processes that have opened it. */
  readonly openedBy: readonly number[];
}

/** Reads everything in a store and reports what is damaged. Changes nothing. Throws only if there is no store or it cannot be read now. */
export async function checkStore(folder: string): Promise<StoreReport> {
  const path = databasePath(folder);
  // Before the database is open: closing the file again drops the locks of this process.
  const header = existsSync(path) ? headerProblems(path) : [];
  const database = openReadable(path);
  const bytes = statSync(path).size;
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const problems = header.map((problem) => `${path}: ${problem}`);
  let read: Contents = EMPTY;
  if (database === undefined) problems.push(`${path} is no database any more`);
  else read = readAndClose(path, database, problems);
  const { damaged, count } = await checkArtifacts(join(folder, "artifacts"));
  problems.push(...damaged, ...setAside(join(folder, "spool")));
  const unfinishedRecovery = (await pendingRecovery(folder)) ?? null;
  return { path, problems, bytes, logBytes, unfinishedRecovery, ...read, artifacts: count };
}

const EMPTY: Contents = {
  version: null,
  isNewer: false,
  freeBytes: 0,
  calls: {},
  documents: {},
  openedBy: [],
};

function readAndClose(path: string, database: DatabaseSync, problems: string[]): Contents {
  const fail = (error: unknown): Contents => {
    if (problems.length === 0) problems.push(`${path}: ${errorMessage(error)}`);
    return EMPTY;
  };
  try {
    const damage = unlessDamaged(
      path,
      () => damageOf(database),
      (error) => [errorMessage(error)],
    );
    problems.push(...damage.map((problem) => `${path}: ${problem}`));
    return unlessDamaged(path, () => readDatabase(database), fail);
  } finally {
    database.close();
  }
}

type Contents = Pick<StoreReport, "version" | "isNewer" | "freeBytes" | "calls" | "documents" | "openedBy">;

function readDatabase(database: DatabaseSync): Contents {
  const pragma = (name: string): number =>
    Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? Number.NaN);
  return {
    version: pragma("user_version"),
    isNewer: isNewer(database),
    freeBytes: pragma("freelist_count") * pragma("page_size"),
    calls: counts(database, "SELECT CASE owner WHEN 0 THEN 'pending' ELSE state END AS name FROM calls"),
    documents: counts(database, "SELECT collection AS name FROM documents"),
    openedBy: liveOwners(database).map(({ pid }) => pid),
  };
}

/** Returns the running processes that have opened a store. */
function liveOwners(database: DatabaseSync): readonly ProcessIdentity[] {
  const rows = database.prepare("SELECT pid, start, boot FROM owners").all();
  return (rows as unknown as readonly ProcessIdentity[]).filter(isAlive);
}

/**
 * Returns the running processes that use the store in a folder; none if there is no store, undefined if it is damaged, so that nobody knows.
 * Throws if it cannot be read now.
 */
export function usersOf(folder: string): readonly ProcessIdentity[] | undefined {
  const path = databasePath(folder);
  if (!existsSync(path)) return [];
  const database = openReadable(path);
  if (database === undefined) return undefined;
  try {
    return unlessDamaged(
      path,
      () => liveOwners(database),
      () => undefined,
    );
  } finally {
    database.close();
  }
}

/** Returns the error about a store that these processes use. */
export function inUse(folder: string, users: readonly ProcessIdentity[]): ToolError {
  const pids = users.map(({ pid }) => pid).join(", ");
  return new ToolError("UNAVAILABLE", `the store ${folder} is in use by process ${pids}`, {
    hint: "nothing was changed; end these programs first",
  });
}

function counts(database: DatabaseSync, names: string): Readonly<Record<string, number>> {
  const rows = database.prepare(`SELECT name, count(*) AS count FROM (${names}) GROUP BY name`).all();
  return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]));
}

async function checkArtifacts(folder: string) {
  const damaged: string[] = [];
  let count = 0;
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const parsed = parseArtifactName(name);
    if (parsed === undefined || parsed.kind === "part") continue;
    count += 1;
    try {
      await (await openArtifact(folder, parsed.id))?.[Symbol.asyncDispose]();
    } catch (error) {
      damaged.push(errorMessage(error));
    }
  }
  return { damaged, count };
}

/** Names the files with damaged lines that an earlier start has set aside. */
function setAside(folder: string): readonly string[] {
  const files = (attempt(() => readdirSync(folder)) ?? []).filter((name) => name.endsWith(".damaged"));
  return files.map((name) => `damaged lines of the journal are in ${join(folder, name)}`);
}
