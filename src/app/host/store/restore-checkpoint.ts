import type { Collections } from "../../../core/store/collection.ts";
import type { Checkpoint } from "../../../system/saved/checkpoint-files.ts";
import type { IsRecorded, PlannedFile } from "../../../system/saved/checkpoint-restore.ts";
import { planRestore, restoreFiles } from "../../../system/saved/checkpoint-restore.ts";
import type { Checkpoints } from "../../../system/saved/checkpoints.ts";
import { isVersionOf } from "../../../system/files/file-version.ts";
import { storedFileAccess } from "../../../tools/files/shared/file-access.ts";
import { displayPath } from "../../../tools/shared/facts.ts";
import { describeChange } from "./describe-change.ts";
import { workspaceSession } from "./workspace-session.ts";

/** What became of one file. */
export interface RestoredFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly outcome: "restored" | "unchanged" | "created since" | "changed" | "not restored";
  /** Of one that changed in a way nobody recorded: how much. */
  readonly change?: string;
}

export interface Restored {
  /** False where a file changed in a way nobody recorded; then none was touched. */
  readonly restored: boolean;
  /** The checkpoint that keeps what was overwritten. */
  readonly before: string | null;
  readonly files: readonly RestoredFile[];
}

export interface RestoreOptions {
  readonly checkpoints: Checkpoints;
  /** Where it is kept what the agent has seen; left out: nothing is known of that. */
  readonly collections?: Collections;
  /** Also over changes that nobody recorded. */
  readonly force: boolean;
}

/** Brings back the files of a checkpoint, all or none. Never deletes a file, and keeps what it overwrites. */
export async function restoreCheckpoint(
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
      return {
        path,
        outcome: "changed",
        change: describeChange(then, planned.now?.content ?? new Uint8Array()),
      };
    }),
  );
  return { restored, before: before?.id ?? null, files };
}

/** A change is recorded where the agent saw it: the same that lets it edit the file. */
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
