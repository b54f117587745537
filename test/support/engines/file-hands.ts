import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Reply } from "../../../src/core/content.ts";
import type { Fact } from "../../../src/core/fact.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Tool } from "../../../src/core/tool.ts";
import { editFile } from "../../../src/tools/files/edit/edit-file.ts";
import type { FilesOptions } from "../../../src/tools/files/shared/options.ts";
import { readFile } from "../../../src/tools/files/read/read-file.ts";
import { writeFile } from "../../../src/tools/files/edit/write-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runTool, testSession, toolContext } from "./tool-context.ts";

/** The file tools as one session uses them; `between` comes after the judging and before the run. */
export interface Hands {
  readonly root: string;
  readonly at: (name: string) => string;
  readonly read: (path: string) => Promise<Reply>;
  readonly write: (path: string, content: string, between?: () => void) => Promise<Reply>;
  readonly edit: (path: string, old: string, next: string, between?: () => void) => Promise<Reply>;
  readonly factsOfWrite: (path: string) => Promise<readonly Fact[]>;
}

/** Hands of a session in a folder of its own. */
export function hands(test: TestContext, given: Partial<FilesOptions> = {}, session = testSession()): Hands {
  const root = given.root ?? temporaryFolder(test);
  const options = { ...given, root };
  const [reader, writer, editor] = [readFile(options), writeFile(options), editFile(options)];
  const run = (tool: Tool, input: JsonObject, between?: () => void): Promise<Reply> =>
    runTool(tool, input, { session, ...(between && { beforeRun: between }) });
  return {
    root,
    at: (name) => join(root, name),
    read: (path) => run(reader, { path }),
    write: (path, content, between) => run(writer, { path, content }, between),
    edit: (path, old, next, between) => run(editor, { path, old_string: old, new_string: next }, between),
    factsOfWrite: async (path) =>
      (await writer.facts?.({ path, content: "" }, toolContext(writer, {}, { session }))) ?? [],
  };
}
