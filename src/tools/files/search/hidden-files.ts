import type { ToolContext } from "../../../core/context.ts";
import { HiddenPaths } from "../../../core/session/hidden-paths.ts";
import type { PathMatch } from "../../../util/text/glob-pattern.ts";

/** Tells the files below a folder, by their paths in it, that policy lets the running tool see. */
export function visibleIn(context: ToolContext, folder: string): PathMatch {
  const isHidden = context.find(HiddenPaths);
  if (isHidden === undefined) return () => true;
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  // Hits of one file come one after the other.
  let last = { path: "", isVisible: true };
  return (path) => {
    if (path !== last.path) last = { path, isVisible: !isHidden(`${prefix}${path.replace(/^\.\//, "")}`) };
    return last.isVisible;
  };
}
