import type { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import type { FilesOptions } from "./options.ts";

/**
 * Runs work that reads and changes files while no other call, in any process, changes them. If the call is cancelled or times out,
 * the error says whether the change was made: `work` either changes nothing and throws the reason, or resolves.
 */
export async function changeFiles(
  { signal }: Pick<ToolContext, "signal">,
  options: FilesOptions,
  paths: readonly string[],
  work: (options: FilesOptions) => Promise<Reply>,
): Promise<Reply> {
  const operations = options.operations ?? createFileOperations(options.changesFolder);
  const reply = await operations
    .exclusively(paths, () => work({ ...options, operations }), signal)
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
