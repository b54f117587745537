import type { Provided } from "../../../core/context.ts";
import type { Tool } from "../../../core/tool.ts";
import type { BrowserOptions } from "../../../tools/browser/page/options.ts";
import type { BuiltInOptions } from "../../../tools/built-in.ts";

/** The options of all built-in tools. */
export type OwnToolsOptions = BuiltInOptions & BrowserOptions;

/** The built-in tools of a host, and what they share with other tools. */
interface OwnTools {
  readonly tools: readonly Tool[];
  readonly context: readonly Provided[];
}

/** Loads the built-in tools: for a process that calls `only` one tool, those of its family, if that tool calls no other. */
export async function loadOwnTools(options: OwnToolsOptions, only = ""): Promise<OwnTools> {
  const family = FAMILIES.find(({ names }) => names.includes(only));
  if (family !== undefined) return { tools: await family.load(options), context: [] };
  const [{ builtInTools }, { browserTools }, { builtInContext }] = await Promise.all([
    import("../../../tools/built-in.ts"),
    import("../../../tools/browser/family.ts"),
    import("../../../tools/built-in-context.ts"),
  ]);
  return { tools: [...builtInTools(options), ...browserTools(options)], context: builtInContext(options) };
}

interface Family {
  /** The tools that call no other, and their aliases. */
  readonly names: readonly string[];
  readonly load: (options: OwnToolsOptions) => Promise<readonly Tool[]>;
}

/** The families whose groups are active unless the config switches them off. */
export const FAMILIES: readonly Family[] = [
  {
    names: namesIn(
      "glob glob_tool ls list_files grep grep_tool search_files read_file file_read read_many_files",
      "write_file file_write edit_file file_edit file_multi_edit apply_patch str_replace_editor delete_file",
    ),
    load: async (options) => (await import("../../../tools/files/family.ts")).fileTools(options),
  },
  {
    names: namesIn("shell bash terminal_execute view_background_processes stop_background_process"),
    load: async (options) => (await import("../../../tools/running/family.ts")).runningTools(options),
  },
  {
    names: namesIn("web_fetch web_search image_recognition"),
    load: async (options) => (await import("../../../tools/web/family.ts")).webTools(options),
  },
  {
    names: namesIn(
      "memory remember read_reasoning create_goal switch_goal complete_goal create_checkpoint record_decision",
      "todo_read todo_write write_todos create_note list_notes update_note delete_note think thinking",
    ),
    load: async (options) => (await import("../../../tools/memory/family.ts")).memoryTools(options),
  },
];

function namesIn(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}
