import type { ToolContext } from "../../../core/context.ts";
import type { PathFact } from "../../../core/fact.ts";
import { Session } from "../../../core/session/session.ts";
import type { TrashEntry } from "../../../system/saved/trash-entry.ts";
import { createTrash } from "../../../system/saved/trash.ts";
import type { FilesOptions } from "../shared/options.ts";

/**
 * Makes a change that deletes files, with a copy of each in the trash before it is made; gives what is there. Where the
 * change fails, what was not deleted is not in the trash either. Without a trash the files are deleted all the same.
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
