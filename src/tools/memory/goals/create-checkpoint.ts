import { builtIn, OWN_STATE, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import { integer, list, object, optional, string } from "../../../schema/define/schema.ts";
import { SessionKey } from "../../../core/session/session.ts";
import type { Tool } from "../../../core/tool.ts";
import { CHECKPOINT_DAYS, CHECKPOINT_MB, createCheckpoints } from "../../../system/saved/checkpoints.ts";
import { existed } from "../../../system/paths/paths.ts";
import { targetOptions, displayPath, resolveGiven } from "../../shared/facts.ts";
import { shortTexts, longText, activeGoal, goalsOf } from "./goals.ts";
import type { MemoryOptions } from "../shared/options.ts";
import { counted } from "../../../util/text/words.ts";
import { defined } from "../../../util/json/defined.ts";

const MAX_FILES = 500;

const input = object({
  description: longText("What has been achieved"),
  files_modified: optional(
    list(string("A file, relative to the workspace or absolute", { min: 1 }), "The files to save", {
      max: MAX_FILES,
    }),
  ),
  tests_added: optional(shortTexts("A test", "Tests of this state", MAX_FILES)),
});

export const CREATE_CHECKPOINT = named("create_checkpoint", input, {
  checkpoint_id: string(),
  files: list(string()),
  bytes: integer(),
  absent: list(string()),
});

/** Saves copies of files that the user can restore. Never changes the files. */
export function createCheckpoint(options: MemoryOptions): Tool {
  const { root, checkpointsFolder: folder } = options;
  return builtIn({
    ...CREATE_CHECKPOINT,
    description:
      "Saves copies of files that the user can restore. Up to " +
      `${MAX_FILES} files and ${CHECKPOINT_MB} MB; stored for ${CHECKPOINT_DAYS} days.`,
    ...OWN_STATE,
    facts: ({ files_modified = [] }) =>
      Promise.all(files_modified.map((path) => resolveGiven(path, targetOptions(options, "read")))),
    attributes: ({ files_modified = [] }) => ({ files: files_modified.length }),
    async run({ description, tests_added = [] }, context) {
      if (folder === undefined)
        throw new ToolError("MISSING_CONTEXT", "no folder for checkpoints is set", {
          hint: "set one: memoryTools({ root, checkpointsFolder })",
        });
      const facts = context.facts.filter((fact) => fact.kind === "path");
      const goalId = activeGoal(await goalsOf(context, options).read())?.id;
      const checkpoint = await createCheckpoints({ folder }).create(facts, {
        root,
        description,
        testsAdded: tests_added,
        session: context.get(SessionKey).id,
        ...defined({ goalId }),
      });
      const { id, files } = checkpoint;
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      const absent = facts.filter((fact) => !existed(fact)).map(({ path }) => displayPath(root, path));
      const left = absent.length === 0 ? "" : `\n[not found: ${absent.join(", ")}]`;
      const count = files.length - absent.length;
      const what = `Checkpoint ${id}: saved ${counted(count, "file")} (${counted(bytes, "byte")})`;
      return new Reply(`${what}; "toolwright restore ${id}" restores them${left}`, {
        data: { checkpoint_id: id, files: files.map(({ path }) => displayPath(root, path)), bytes, absent },
      });
    },
  });
}
