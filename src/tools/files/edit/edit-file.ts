import { defineTool } from "../../../schema/define/define-tool.ts";
import type { Problem } from "../../../core/result.ts";
import { object, optional, string, type Infer } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";
import { parameterAliasesOf } from "../../shared/parameter-aliases.ts";
import type { Edit } from "./apply-edits.ts";
import {
  editList,
  EDITING,
  editTextFile,
  idleEdits,
  newString,
  oldString,
  replaceAll,
} from "./edit-text-file.ts";
import type { FilesOptions } from "../shared/options.ts";
import { CHANGES } from "../shared/kinds.ts";

const input = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  old_string: optional(oldString),
  new_string: optional(newString),
  replace_all: optional(replaceAll, false),
  edits: optional(editList),
});

type EditInput = Infer<typeof input>;

/** Replaces pieces of text in a file. */
export function editFile(options: FilesOptions): Tool {
  const { root, home } = options;
  return defineTool({
    name: "edit_file",
    aliases: ["file_edit"],
    description: `Replaces text in a file: give old_string and new_string, or a list of edits. ${EDITING}`,
    input,
    parameterAliases: parameterAliasesOf(input),
    ...CHANGES,
    check: problemsOf,
    facts: async ({ path }) => [
      await resolveTarget(path, { cwd: root, access: "write", ...(home !== undefined && { home }) }),
    ],
    attributes: ({ path, edits }) => ({ path, edits: edits?.length ?? 1 }),
    run: (input, context) => editTextFile(options, editsOf(input), context),
  });
}

function problemsOf(input: EditInput): readonly Problem[] {
  const { old_string, new_string, edits } = input;
  if (edits !== undefined && (old_string !== undefined || new_string !== undefined)) {
    return [
      { kind: "value", path: "/edits", expected: "either edits or old_string and new_string", got: "both" },
    ];
  }
  const missing = Object.entries({ old_string, new_string }).filter(([, value]) => value === undefined);
  if (edits === undefined && missing.length > 0) {
    return missing.map(([name]) => ({
      kind: "missing",
      path: `/${name}`,
      expected: "a string",
      got: "nothing",
    }));
  }
  return idleEdits(editsOf(input), (index) =>
    edits === undefined ? "/new_string" : `/edits/${index}/new_string`,
  );
}

function editsOf({ old_string = "", new_string = "", replace_all, edits }: EditInput): readonly Edit[] {
  return edits ?? [{ old_string, new_string, replace_all }];
}
