import type { Engine } from "../../../engine/types/engine.ts";
import type { ConfigGroups } from "../../config/groups.ts";

/** Watches the files that the config names, so that hooks run when other programs change them. */
export async function watchConfiguredFiles(
  {
    hooks: { watch },
    paths: {
      workspace: [folder],
      userHome,
    },
  }: ConfigGroups<"hooks" | "paths">,
  engine: Engine,
  onProblem: (problem: string) => void,
) {
  if (watch.length === 0) return undefined;
  const { createFileWatcher } = await import("./watch-files.ts");
  return createFileWatcher({ folder, patterns: watch, home: userHome, engine, onProblem });
}
