import { builtIn, READS, named } from "../../shared/built-in-tool.ts";
import type { JsonObject } from "../../../core/json.ts";
import { boolean, integer, list, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { holdTarget } from "../../../system/paths/folder.ts";
import { MAX_ITEMS } from "../../shared/answer-limits.ts";
import { targetOptions, pathFactOf, resolveGiven } from "../../shared/facts.ts";
import { nameAsData, quoteName } from "../../../util/text/file-name.ts";
import { visibleIn } from "./visible-files.ts";
import { listReply } from "./list-reply.ts";
import type { FilesOptions } from "../shared/options.ts";
import { startSearchTime } from "./search-time.ts";
import { walkFolder } from "./walk-folder.ts";

const DEFAULT_DEPTH = 3;

const input = object({
  path: optional(string("The folder, relative to the workspace or absolute", { min: 1 }), "."),
  recursive: optional(boolean("Also the contents of subfolders"), false),
  max_depth: optional(
    integer("The number of levels when recursive; 1 is the folder itself", { min: 1 }),
    DEFAULT_DEPTH,
  ),
  include_hidden: optional(boolean("Also names that start with a dot"), false),
});

export const LS = named("ls", input, { entries: list(string()), partial: optional(boolean()) });

/** Lists a folder. */
export function ls(options: FilesOptions): Tool {
  return builtIn({
    ...LS,
    aliases: ["list_files"],
    description:
      "Lists a folder, sorted by name; folders end with a slash, links with @. Ignored files (.gitignore) are left out. " +
      `With recursive, ${DEFAULT_DEPTH} levels unless max_depth is set. ` +
      `A list of more than ${MAX_ITEMS} entries is cut; read_artifact reads the whole. ` +
      "A listing that times out returns what it has found.",
    ...READS,
    limits: { shape: "list" },
    facts: async ({ path }) => [await resolveGiven(path, targetOptions(options, "read"))],
    attributes: ({ path, recursive }) => ({ path, recursive }),
    async run({ recursive, max_depth, include_hidden }, context) {
      const fact = pathFactOf(context);
      const folder = await holdTarget(fact);
      const time = startSearchTime(context);
      const { entries, unread, isPartial } = await walkFolder(folder, {
        path: fact.path,
        maxDepth: recursive ? max_depth : 1,
        includeHidden: include_hidden,
        isVisible: visibleIn(context, fact.path),
        signal: context.signal,
        until: time.over,
      }).finally(() => time.stop());
      const notes = [
        ...time.notes(),
        ...(unread.length > 0 ? [`[could not be read: ${unread.map(quoteName).join(", ")}]`] : []),
      ];
      const toData = ({ length }: readonly string[]): JsonObject => ({
        entries: entries.slice(0, length).map(nameAsData),
        ...time.data(),
      });
      const none = ["[nothing to list]"];
      return listReply(entries.map(quoteName), { notes, none, isPartial, toData, context });
    },
  });
}
