import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Json } from "../../../src/core/json.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import type { ExtensionDirectory } from "../../../src/sources/extension/extension-folder.ts";
import {
  createExtensions,
  type Extensions,
  type ExtensionsOptions,
} from "../../../src/sources/extension/extensions.ts";
import { engineOf } from "../engines/sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export interface ExtensionEngine {
  readonly engine: Engine;
  readonly extensions: Extensions;
  /** The folder of the extensions. */
  readonly folder: string;
  /** Their log messages, as `name: message`. */
  readonly logged: string[];
  /** Writes a module, or any file, by its name in the folder. */
  readonly write: (name: string, text: string) => string;
}

export interface ExtensionEngineOptions extends Omit<ExtensionsOptions, "directories"> {
  readonly isTrusted?: ExtensionDirectory["isTrusted"];
  readonly isWatched?: boolean;
}

/** Creates an engine with one folder of extensions, given by file name and text; everything is allowed. Closed after the test. */
export function extensionEngine(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  { isTrusted, isWatched = false, ...options }: ExtensionEngineOptions = {},
): ExtensionEngine {
  const folder = join(temporaryFolder(t), "extensions");
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const logged: string[] = [];
  const extensions = createExtensions({
    directories: [{ name: "user", path: folder, ...(isTrusted !== undefined && { isTrusted }) }],
    log: (name: string, message: string, data?: Json) =>
      void logged.push(`${name}: ${message}${data === undefined ? "" : ` ${JSON.stringify(data)}`}`),
    ...options,
  });
  const engine = engineOf(t, { hooks: [extensions.hook] });
  for (const source of extensions.sources) engine.sources.add(source, { isWatched });
  return { engine, extensions, folder, logged, write };
}

/** Returns the source of an extension with one tool that returns a text. */
export function sayModule(name: string, answer: string, more = ""): string {
  return `import { defineTool } from "toolwright";
import { defineExtension } from "toolwright/extension";
export default defineExtension({
  name: ${JSON.stringify(name)},
  setup(api) {
    api.tool(defineTool({ name: ${JSON.stringify(`${name}_tool`)}, description: "Says.", run: () => ${JSON.stringify(answer)} }));
    ${more}
  },
});
`;
}
