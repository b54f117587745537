import type { ToolContext } from "../../../core/context.ts";
import { HiddenPaths } from "../../../core/session/hidden-paths.ts";
import type { PathMatch } from "../../../util/text/glob-pattern.ts";

/** Returns a test for files below a folder that policy lets the tool see. */
export function visibleIn(context: ToolContext, folder: string): PathMatch {
  const isHidden = context.find(HiddenPaths);
  if (isHidden === undefined) return () => true;
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  // Hits of one file are consecutive.
  let last = { path: "", isVisible: true };
  return (path) => {
    if (path !== last.path) last = { path, isVisible: !isHidden(`${prefix}${path.replace(/^\.\//, "")}`) };
    return last.isVisible;
  };
}
