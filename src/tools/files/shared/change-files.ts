import type { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { createFileOperations, type FileOperations } from "../../../system/files/operations.ts";
import type { FilesOptions } from "./options.ts";

/**
 * Runs work that reads and changes files while no other call, in any process, changes them. If the call is cancelled or times out,
 * the error says whether the change was made: `work` either changes nothing and throws the reason, or resolves.
 */
export async function changeFiles(
  { signal }: Pick<ToolContext, "signal">,
  { operations, changesFolder }: FilesOptions,
  paths: readonly string[],
  work: (operations: FileOperations) => Promise<Reply>,
): Promise<Reply> {
  const used = operations ?? createFileOperations(changesFolder);
  const reply = await used
    .exclusively(paths, () => work(used), signal)
    .catch((error: unknown) => {
      throw signal.aborted && error === signal.reason ? ended(NOT_MADE, []) : error;
    });
  if (signal.aborted) throw ended(MADE, paths);
  return reply;
}

const NOT_MADE = "nothing was changed";
const MADE = "the change was made before the call ended; do not repeat it";

function ended(hint: string, changed: readonly string[]): ToolError {
  return new ToolError("CANCELLED", `the call was ended: ${hint}`, { hint, details: { changed } });
}
