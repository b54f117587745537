import { defineTool } from "../../../schema/define/define-tool.ts";
import { object, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";
import { parameterAliasesOf } from "../../shared/parameter-aliases.ts";
import { editList, EDITING, editTextFile, idleEdits } from "./edit-text-file.ts";
import type { FilesOptions } from "../shared/options.ts";
import { CHANGES } from "../shared/kinds.ts";

const input = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  edits: editList,
});

/** Replaces several pieces of text in one file, all or none. */
export function fileMultiEdit(options: FilesOptions): Tool {
  const { root, home } = options;
  return defineTool({
    name: "file_multi_edit",
    description: `Makes several edits to one file at once. ${EDITING}`,
    input,
    parameterAliases: parameterAliasesOf(input),
    ...CHANGES,
    check: ({ edits }) => idleEdits(edits, (index) => `/edits/${index}/new_string`),
    facts: async ({ path }) => [
      await resolveTarget(path, { cwd: root, access: "write", ...(home !== undefined && { home }) }),
    ],
    attributes: ({ path, edits }) => ({ path, edits: edits.length }),
    run: ({ edits }, context) => editTextFile(options, edits, context),
  });
}
