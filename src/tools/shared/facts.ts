import type { TargetOptions } from "../../system/paths/paths.ts";
import { relative } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandFact, PathFact } from "../../core/fact.ts";

/** Returns the path that policy judged for this call: the first path fact. A tool uses it and never resolves the path again. */
export function pathFactOf(context: ToolContext): PathFact {
  const fact = context.facts.find((fact) => fact.kind === "path");
  if (fact === undefined) throw missingFacts(context);
  return fact;
}

/** Returns the command that policy judged for this call. */
export function commandFactOf(context: ToolContext): CommandFact {
  const fact = context.facts.find((fact) => fact.kind === "command");
  if (fact === undefined) throw missingFacts(context);
  return fact;
}

/** Returns a canonical path for display: relative to the root if it is inside. */
export function displayPath(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside === "") return ".";
  return inside === ".." || inside.startsWith("../") ? path : inside;
}

/** Like `displayPath`, for many paths relative to one folder. */
export function displayPathsIn(root: string, folder: string): (path: string) => string {
  const prefix = displayPath(root, folder);
  if (prefix === ".") return (path) => path;
  return prefix === "/" ? (path) => `/${path}` : (path) => `${prefix}/${path}`;
}

function missingFacts(context: ToolContext): ToolError {
  return new ToolError(
    "MISSING_CONTEXT",
    `${context.call.name} was run without the facts that policy judged`,
  );
}

/** Returns how the paths of a call are resolved: from the workspace, `~/` from the home folder. */
export function targetOptions(
  { root, home }: { readonly root: string; readonly home?: string },
  access: PathFact["access"],
): TargetOptions {
  return { cwd: root, access, ...(home !== undefined && { home }) };
}
