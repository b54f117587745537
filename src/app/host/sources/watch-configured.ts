import type { FileWatcher } from "../hooks/watch-files.ts";
import { createFileWatcher } from "../hooks/watch-files.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { Config } from "../../config/config.ts";

/** Hooks hear of files that others change, where the config says which. */
export function watchConfigured(
  { watch, workspace: [folder], userHome }: Config,
  engine: Engine,
  warn: (warning: string) => void,
): FileWatcher | undefined {
  if (watch.length === 0) return undefined;
  return createFileWatcher({ folder, patterns: watch, home: userHome, engine, onProblem: warn });
}
