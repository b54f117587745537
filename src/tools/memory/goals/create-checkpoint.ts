import { Reply } from "../../../core/content.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { ToolError } from "../../../core/errors.ts";
import { list, object, optional, string } from "../../../schema/define/schema.ts";
import { Session } from "../../../core/session/session.ts";
import type { Tool } from "../../../core/tool.ts";
import { CHECKPOINT_DAYS, CHECKPOINT_MB, createCheckpoints } from "../../../system/saved/checkpoints.ts";
import { existed, resolveTarget } from "../../../system/paths/paths.ts";
import { shownPath } from "../../shared/judged.ts";
import { activeGoal, goalsOf, MAX_TEXT_CHARACTERS } from "./goals.ts";
import { OWN_STATE } from "../shared/kinds.ts";
import type { MemoryOptions } from "../shared/options.ts";

const MAX_FILES = 500;

const input = object({
  description: string("What has been reached", { min: 1, max: MAX_TEXT_CHARACTERS }),
  files_modified: optional(
    list(
      string("A file, relative to the workspace or absolute", { min: 1 }),
      "The files to keep as they are now",
      {
        max: MAX_FILES,
      },
    ),
  ),
  tests_added: optional(
    list(string("A test", { min: 1, max: 500 }), "Tests that came with it", { max: MAX_FILES }),
  ),
});

/** Keeps files as they are, so that the user can restore them. Never changes them. */
export function createCheckpoint(options: MemoryOptions): Tool {
  const { root, home, checkpointsFolder: folder } = options;
  return defineTool({
    name: "create_checkpoint",
    description:
      "Keeps files as they are now, so that the user can bring them back. Up to " +
      `${MAX_FILES} files and ${CHECKPOINT_MB} MB; kept for ${CHECKPOINT_DAYS} days.`,
    input,
    ...OWN_STATE,
    facts: ({ files_modified = [] }) =>
      Promise.all(
        files_modified.map((path) =>
          resolveTarget(path, { cwd: root, access: "read", ...(home !== undefined && { home }) }),
        ),
      ),
    attributes: ({ files_modified = [] }) => ({ files: files_modified.length }),
    async run({ description, tests_added = [] }, context) {
      if (folder === undefined) throw noFolder();
      const facts = context.facts.filter((fact) => fact.kind === "path");
      const goalId = activeGoal(await goalsOf(context, options).read())?.id;
      const checkpoint = await createCheckpoints({ folder }).create(facts, {
        root,
        description,
        testsAdded: tests_added,
        session: context.get(Session).id,
        ...(goalId !== undefined && { goalId }),
      });
      const { id, files } = checkpoint;
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      const absent = facts.filter((fact) => !existed(fact)).map(({ path }) => shownPath(root, path));
      const left = absent.length === 0 ? "" : `\n[not there: ${absent.join(", ")}]`;
      const what = `Checkpoint ${id} keeps ${files.length - absent.length} files (${bytes} bytes)`;
      return new Reply(`${what}; "toolwright restore ${id}" brings them back${left}`, {
        data: { checkpoint_id: id, files: files.map(({ path }) => shownPath(root, path)), bytes, absent },
      });
    },
  });
}

function noFolder(): ToolError {
  return new ToolError("MISSING_CONTEXT", "there is no place to keep checkpoints in", {
    hint: "give the tools a folder for it: memoryTools({ root, checkpointsFolder })",
  });
}
