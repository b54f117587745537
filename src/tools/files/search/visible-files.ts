import type { ToolContext } from "../../../core/context.ts";
import { HiddenPaths, ProtectedPaths } from "../../../core/session/hidden-paths.ts";
import type { PathMatch } from "../../../util/text/glob-pattern.ts";

/** Accepts every file. `visibleIn` returns it if policy hides nothing. */
export const ANY_FILE: PathMatch = () => true;

/** Returns a test for files below a folder that policy lets the tool read without a call that names them. Files of a protected folder were approved with it. */
export function readableIn(context: ToolContext, folder: string): PathMatch {
  const isVisible = visibleIn(context, folder);
  const isProtected = protectedIn(context, folder);
  if (isProtected === undefined) return isVisible;
  return (path) => isVisible(path) && !isProtected(path);
}

/** Returns a test for protected files below a folder; undefined if there are none. */
export function protectedIn(context: ToolContext, folder: string): PathMatch | undefined {
  const isProtected = context.find(ProtectedPaths);
  if (isProtected === undefined || isProtected(folder)) return undefined;
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return (path) => isProtected(`${prefix}${path.replace(/^\.\//, "")}`);
}

/** Returns a test for files below a folder that policy lets the tool see. */
export function visibleIn(context: ToolContext, folder: string): PathMatch {
  const isHidden = context.find(HiddenPaths);
  if (isHidden === undefined) return ANY_FILE;
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  // Hits of one file are consecutive.
  let last = { path: "", isVisible: true };
  return (path) => {
    if (path !== last.path) last = { path, isVisible: !isHidden(`${prefix}${path.replace(/^\.\//, "")}`) };
    return last.isVisible;
  };
}
