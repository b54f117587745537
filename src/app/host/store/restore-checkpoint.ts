import { isUtf8 } from "node:buffer";
import type { Collections } from "../../../core/store/collection.ts";
import type { Checkpoint } from "../../../system/saved/checkpoint-files.ts";
import {
  planRestore,
  restoreFiles,
  type IsRecorded,
  type PlannedFile,
} from "../../../system/saved/checkpoint-restore.ts";
import { createCheckpoints, type Checkpoints } from "../../../system/saved/checkpoints.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import type { PathSettings } from "../../config/groups.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { isVersionOf } from "../../../system/files/file-version.ts";
import { storedFileAccess } from "../../../tools/files/shared/file-access.ts";
import { unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";
import { displayPath } from "../../../tools/shared/facts.ts";
import { workspaceSession } from "./open-configured-store.ts";

/** The result for one file. */
export interface RestoredFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly outcome: "restored" | "unchanged" | "created since" | "changed" | "not restored";
  /** How much a file changed that was not changed by the agent. */
  readonly change?: string;
}

export interface Restored {
  /** False if a file has unrecorded changes; then no file was touched. */
  readonly restored: boolean;
  /** The checkpoint of what was overwritten. */
  readonly before: string | null;
  readonly files: readonly RestoredFile[];
}

export interface RestoreOptions {
  readonly checkpoints: Checkpoints;
  /** Records of what the agent has seen; default: no change is recorded. */
  readonly collections?: Collections | undefined;
  /** Overwrites unrecorded changes too. */
  readonly force: boolean;
}

/** Returns the checkpoints of a config. */
export function configuredCheckpoints(paths: PathSettings): Checkpoints {
  const { checkpoints: folder, changes } = stateFoldersOf(paths);
  return createCheckpoints({ folder, operations: createFileOperations(changes) });
}

/**
 * Restores the files of a checkpoint, all or none. Never deletes a file, and makes a checkpoint of what it overwrites. No other process
 * changes the files between the check for unrecorded changes and the write.
 */
export function restoreCheckpoint(checkpoint: Checkpoint, options: RestoreOptions): Promise<Restored> {
  const paths = checkpoint.files.map(({ path }) => path);
  return options.checkpoints.operations.exclusively(paths, () => restoreAll(checkpoint, options));
}

async function restoreAll(
  checkpoint: Checkpoint,
  { checkpoints, collections, force }: RestoreOptions,
): Promise<Restored> {
  const plan = await planRestore(checkpoints, checkpoint, recordedIn(collections, checkpoint));
  const restored = force || plan.every(({ state }) => state !== "stale");
  const before = restored ? await restoreFiles(checkpoints, checkpoint, plan) : undefined;
  const files = await Promise.all(
    plan.map(async (planned): Promise<RestoredFile> => {
      const path = displayPath(checkpoint.root, planned.file.path);
      if (restored || planned.state !== "stale") return { path, outcome: outcomeOf(planned, restored) };
      const then = await checkpoints.read(planned.file);
      const change = describeChange(then, planned.now?.content ?? new Uint8Array());
      return { path, outcome: "changed", change };
    }),
  );
  return { restored, before: before?.id ?? null, files };
}

/** A change is recorded if the agent has seen that version, which also lets it edit the file. */
function recordedIn(collections: Collections | undefined, { root, session = "" }: Checkpoint): IsRecorded {
  if (collections === undefined) return () => Promise.resolve(false);
  const sessions = [...new Set([session, workspaceSession(root)])].filter((id) => id !== "");
  const accesses = sessions.map((id) => storedFileAccess(collections, id));
  return async (path, { content, stats }) => {
    const seen = await Promise.all(accesses.map((access) => access.seen(path)));
    return seen.some((one) => one !== undefined && isVersionOf(stats, content, one.version));
  };
}

function outcomeOf({ state }: PlannedFile, restored: boolean): RestoredFile["outcome"] {
  if (state === "same") return "unchanged";
  if (state === "created") return "created since";
  return restored ? "restored" : "not restored";
}

/** Describes a change of content: lines added and removed if both are text, else sizes. */
export function describeChange(before: Uint8Array, after: Uint8Array): string {
  if (!isText(before) || !isText(after)) return `${before.length} bytes then, ${after.length} now`;
  const lines = unifiedDiff("file", toText(before), toText(after)).split("\n").slice(2);
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  const [added, removed] = [count("+"), count("-")];
  return added + removed === 0 ? "too large a difference to count" : `+${added} -${removed} lines since`;
}

function isText(content: Uint8Array): boolean {
  return isUtf8(content) && !content.includes(0);
}

function toText(content: Uint8Array): string {
  return Buffer.from(content).toString("utf8");
}
