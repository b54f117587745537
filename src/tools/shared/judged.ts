import { relative } from "node:path";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandFact, PathFact } from "../../core/fact.ts";

/** The path that was judged for this call: the first path fact. A tool uses it and never resolves again. */
export function judgedPath(context: ToolContext): PathFact {
  const fact = context.facts.find((fact) => fact.kind === "path");
  if (fact === undefined) throw unjudged(context);
  return fact;
}

/** The command that was judged for this call. */
export function judgedCommand(context: ToolContext): CommandFact {
  const fact = context.facts.find((fact) => fact.kind === "command");
  if (fact === undefined) throw unjudged(context);
  return fact;
}

/** How a canonical path is shown: relative to the root where it is inside. */
export function shownPath(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside === "") return ".";
  return inside === ".." || inside.startsWith("../") ? path : inside;
}

/** Like `shownPath`, for many paths that are given relative to one folder. */
export function shownInside(root: string, folder: string): (path: string) => string {
  const prefix = shownPath(root, folder);
  if (prefix === ".") return (path) => path;
  return prefix === "/" ? (path) => `/${path}` : (path) => `${prefix}/${path}`;
}

function unjudged(context: ToolContext): ToolError {
  return new ToolError("MISSING_CONTEXT", `${context.call.name} was run without the facts it was judged by`);
}
