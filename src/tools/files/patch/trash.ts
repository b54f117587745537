import type { ToolContext } from "../../../core/context.ts";
import type { PathFact } from "../../../core/fact.ts";
import { Session } from "../../../core/session/session.ts";
import type { TrashEntry } from "../../../system/saved/trash-entry.ts";
import { createTrash } from "../../../system/saved/trash.ts";
import type { FilesOptions } from "../shared/options.ts";

/**
 * Makes a change that deletes files, after copying each to the trash; returns the trashed files. If the change fails, files that were
 * not deleted are removed from the trash. Without a trash the files are deleted.
 */
export async function withTrash(
  deleted: readonly PathFact[],
  { trashFolder }: FilesOptions,
  context: ToolContext,
  change: () => Promise<void>,
): Promise<readonly TrashEntry[]> {
  if (trashFolder === undefined || deleted.length === 0) {
    await change();
    return [];
  }
  const trash = createTrash({ folder: trashFolder });
  const kept: TrashEntry[] = [];
  const { call, signal } = context;
  const about = { session: context.get(Session).id, callId: call.id, signal };
  try {
    for (const fact of deleted) kept.push(await trash.saveCopy(fact, about));
    await change();
  } catch (error) {
    for (const entry of kept) await trash.discard(entry).catch(() => undefined);
    throw error;
  }
  return kept;
}
