import { existed, resolveTarget, type TargetOptions } from "../../system/paths/paths.ts";
import { relative } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandFact, PathFact } from "../../core/fact.ts";
import { quoteName, unquoteName } from "../../util/text/file-name.ts";
import { defined } from "../../util/json/defined.ts";

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

/** Returns a canonical path for display: relative to the root if it is inside, quoted if it is not plain text. */
export function displayPath(root: string, path: string): string {
  return quoteName(shortPath(root, path));
}

function shortPath(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside === "") return ".";
  return inside === ".." || inside.startsWith("../") ? path : inside;
}

/** Like `displayPath`, for many paths relative to one folder, but not quoted. */
export function shortPathsIn(root: string, folder: string): (path: string) => string {
  const prefix = shortPath(root, folder);
  if (prefix === ".") return (path) => path;
  return prefix === "/" ? (path) => `/${path}` : (path) => `${prefix}/${path}`;
}

function missingFacts(context: ToolContext): ToolError {
  const message = `${context.call.name} was run without the facts that policy judged`;
  return new ToolError("MISSING_CONTEXT", message);
}

/** Resolves a path of a call, which may be quoted as `displayPath` shows it. Throws for a new file without a name, such as `d/.`. */
export async function resolveGiven(path: string, options: TargetOptions): Promise<PathFact> {
  const name = unquoteName(path);
  const fact = await resolveTarget(name, options);
  if (options.access === "read" || existed(fact) || !/(?:^|\/)\.{0,2}$/.test(name)) return fact;
  throw new ToolError("INVALID_INPUT", `${path} is the name of a folder`, {
    hint: "give the path of a file",
    details: { path: name },
  });
}

/** Returns how the paths of a call are resolved: from the workspace, `~/` from the home folder. */
export function targetOptions(
  { root, home }: { readonly root: string; readonly home?: string },
  access: PathFact["access"],
): TargetOptions {
  return { cwd: root, access, ...defined({ home }) };
}
