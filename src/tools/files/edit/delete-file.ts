import { builtIn, CHANGE_LIMITS, named } from "../../shared/built-in-tool.ts";
import { readdir } from "node:fs/promises";
import { Reply } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import { boolean, integer, object, optional, string } from "../../../schema/define/schema.ts";
import { SessionKey } from "../../../core/session/session.ts";
import type { Tool } from "../../../core/tool.ts";
import { fileFault } from "../../../system/paths/file-fault.ts";
import { resolveEntry } from "../../../system/paths/entry.ts";
import { holdTarget } from "../../../system/paths/folder.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { existed, lstatIfExists, resolveTarget } from "../../../system/paths/paths.ts";
import type { PathFact } from "../../../core/fact.ts";
import { createTrash, TRASH_DAYS, TRASH_GB } from "../../../system/saved/trash.ts";
import { targetOptions, pathFactOf, displayPath } from "../../shared/facts.ts";
import { unquoteName } from "../../../util/text/file-name.ts";
import { changeFiles } from "../shared/change-files.ts";
import { missingFile } from "../shared/missing-file.ts";
import type { FilesOptions } from "../shared/options.ts";
import { counted } from "../../../util/text/words.ts";

const input = object({
  path: string("The file or folder, relative to the workspace or absolute", { min: 1 }),
  recursive: optional(boolean("Also deletes a folder that is not empty, with its contents"), false),
});

export const DELETE_FILE = named("delete_file", input, {
  path: string(),
  trash_id: string(),
  kind: string(),
  bytes: integer(),
});

/** Moves a file or a folder to the trash. */
export function deleteFile(options: FilesOptions): Tool {
  const { root, trashFolder } = options;
  return builtIn({
    ...DELETE_FILE,
    description:
      "Deletes a file, a link or a folder by moving it to a trash, from which the user can restore it. A link itself is " +
      `deleted, never its target. The trash stores files for ${TRASH_DAYS} days and up to ${TRASH_GB} GB; ` +
      "larger ones are not deleted.",
    risk: "high",
    place: "sandbox",
    group: "files",
    effects: "unsafe",
    limits: CHANGE_LIMITS,
    facts: async ({ path }) => [
      { ...(await resolveEntry(unquoteName(path), targetOptions(options, "write"))), change: "delete" },
    ],
    attributes: ({ path, recursive }) => ({ path, recursive }),
    async run({ recursive }, context) {
      if (trashFolder === undefined)
        throw new ToolError("MISSING_CONTEXT", "no trash folder is set, and nothing is deleted without one", {
          hint: "set one: fileTools({ root, trashFolder })",
        });
      const fact = pathFactOf(context);
      const path = displayPath(root, fact.path);
      if (!existed(fact)) throw await missingFile(fact.path, path);
      await refuseKept(fact.path, options);
      if (!recursive) await refuseFilledFolder(fact, path);
      const { call, signal } = context;
      const about = { session: context.get(SessionKey).id, callId: call.id, signal };
      return changeFiles(context, options, [fact.path], async () => {
        const { id, kind, bytes } = await createTrash({ folder: trashFolder }).put(fact, about);
        return new Reply(
          `Moved the ${kind} ${path} (${counted(bytes, "byte")}) to the trash as ${id}; "toolwright trash restore ${id}" restores it`,
          { data: { path, trash_id: id, kind, bytes } },
        );
      });
    },
  });
}

/** Throws for the workspace itself and for Toolwright's own files. */
async function refuseKept(path: string, { root, roots = [], stateFolders = [] }: FilesOptions) {
  const holds = [root, ...roots].find((folder) => isWithin(folder, path));
  if (holds !== undefined)
    throw refusal(path, holds === path ? "is the workspace itself" : "contains the workspace");
  for (const folder of stateFolders) {
    const { path: own } = await resolveTarget(folder, { cwd: root, access: "read" });
    if (isWithin(own, path) || isWithin(path, own)) throw refusal(path, "belongs to Toolwright's own state");
  }
}

async function refuseFilledFolder(fact: PathFact, shown: string): Promise<void> {
  if ((await lstatIfExists(fact.path))?.isDirectory() !== true) return;
  await using folder = await holdTarget(fact);
  try {
    const [name] = await readdir(folder.here);
    if (name === undefined) return;
  } catch (error) {
    throw fileFault(error, "look into", fact.path);
  }
  throw new ToolError("TOOL_FAILED", `${shown} is a folder that is not empty`, {
    hint: "set recursive to delete it with its contents",
    details: { path: fact.path },
  });
}

function refusal(path: string, reason: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} ${reason}: it is not deleted`, { details: { path } });
}
