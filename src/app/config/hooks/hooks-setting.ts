import type { HookDefinition } from "./definition.ts";
import type * as parsing from "./parse-definitions.ts";
import { loadBeside } from "../../../util/load-beside.ts";
import type * as globbing from "../../../util/text/glob-pattern.ts";

// Both are loaded when something is written there: most configs have no hooks, and settings are read at every start.

/** Reads the setting `hooks`. Throws, naming the place in it, on anything that is not a list of hooks. */
export function parseHooks(written: unknown): readonly HookDefinition[] {
  const { parseHookDefinitions } = loadBeside(import.meta.url, "./parse-definitions") as typeof parsing;
  return parseHookDefinitions(written);
}

/** True for a text that is a glob. */
export function isGlob(text: string): boolean {
  const { compileGlob } = loadBeside(import.meta.url, "../../../util/text/glob-pattern") as typeof globbing;
  try {
    return text !== "" && compileGlob(text) !== undefined;
  } catch {
    return false;
  }
}
