import { builtIn, valueProblem, CHANGE_LIMITS, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import { boolean, integer, object, optional, string } from "../../../schema/define/schema.ts";
import type { PathFact } from "../../../core/fact.ts";
import type { Tool } from "../../../core/tool.ts";
import { replaceFile } from "../../../system/files/replace.ts";
import { existed } from "../../../system/paths/paths.ts";
import { targetOptions, pathFactOf, displayPath, resolveGiven } from "../../shared/facts.ts";
import { changeFiles } from "../shared/change-files.ts";
import { assertFresh, markUnread, noteWritten } from "../shared/file-access.ts";
import type { FilesOptions } from "../shared/options.ts";
import { readWholeFile } from "../shared/text-file.ts";
import { hasShownNul, shownForm } from "../match/shown-form.ts";
import { counted } from "../../../util/text/words.ts";

const input = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  content: string("The complete content of the file"),
  create_only: optional(boolean("Fail if the file exists"), false),
});

export const WRITE_FILE = named("write_file", input, {
  path: string(),
  bytes: integer(),
  created: boolean(),
});

/** Writes a whole file: creates or replaces it. */
export function writeFile(options: FilesOptions): Tool {
  const { root } = options;
  return builtIn({
    ...WRITE_FILE,
    aliases: ["file_write"],
    description:
      "Writes a whole file: creates it, with missing folders, or replaces it. The change is atomic and preserves the mode. " +
      "A file that has changed since you last read it is not replaced. Use edit_file to change a part of a file.",
    risk: "medium",
    place: "sandbox",
    group: "files",
    effects: "idempotent",
    check: ({ path }) => (path.endsWith("/") ? valueProblem("/path", "a file", "a folder's name") : []),
    async facts({ path }, context) {
      const pathFact = await resolveGiven(path, targetOptions(options, "write"));
      return [await markUnread(context, options, pathFact)];
    },
    attributes: ({ path, content }) => ({ path, bytes: Buffer.byteLength(content) }),
    // Its answer says whether the file was written: a second attempt after a timeout would find it changed.
    limits: { ...CHANGE_LIMITS, attempts: 1 },
    async run({ content: given, create_only }, context) {
      const fact = pathFactOf(context);
      const path = displayPath(root, fact.path);
      if (create_only && existed(fact))
        throw new ToolError("TOOL_FAILED", `${path} already exists`, {
          hint: "choose another name, or omit create_only to replace it",
        });
      return changeFiles(context, options, [fact.path], async ({ operations }) => {
        const openedAs = await assertFresh(context, options, fact);
        const content = openedAs === undefined ? given : await asInFile(fact, path, given);
        const how = { signal: context.signal, operations, isExclusive: true };
        await replaceFile(fact, content, { ...(openedAs && { openedAs }), ...how });
        await noteWritten(context, options, fact.path, content);
        const bytes = Buffer.byteLength(content);
        const created = !existed(fact);
        return new Reply(`${created ? "Created" : "Replaced"} ${path} (${counted(bytes, "byte")})`, {
          data: { path, bytes, created },
        });
      });
    },
  });
}

/** Returns the new text of a file as it is written: the file before says what NUL in its shown form means. */
async function asInFile(fact: PathFact, path: string, given: string): Promise<string> {
  if (!hasShownNul(given)) return given;
  const { bytes } = await readWholeFile(fact, path);
  return shownForm(bytes.toString(), "")(given);
}
