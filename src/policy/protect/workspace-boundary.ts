import type { Verdict } from "../../core/verdict.ts";
import type { CompiledRule } from "../match/compile-rule.ts";
import { allowsPath } from "./find-allowing-rule.ts";
import { PathView } from "../match/match-path.ts";
import { isWithin } from "../../util/text/is-within.ts";
import type { Subject } from "../match/subject.ts";

/** A path outside the workspace that is certainly or possibly touched. */
export interface Outside {
  readonly path: string;
  readonly isCertain: boolean;
}

/** Returns the first path outside the workspace that no allow rule names; certain ones before suspected ones. */
export function findOutside(
  subject: Subject,
  workspace: readonly string[],
  allows: () => readonly CompiledRule[],
): Outside | undefined {
  let suspected: Outside | undefined;
  const isOut = (view: PathView): boolean => !allowsPath(allows(), view, subject, workspace);
  for (const view of subject.paths) {
    if (isInside(view.path, workspace) || !isOut(view)) continue;
    if (!view.isSuspected) return { path: view.path, isCertain: true };
    suspected ??= { path: view.path, isCertain: false };
  }
  for (const { fact } of subject.commands) {
    if (!isInside(fact.cwd, workspace) && isOut(folderView(fact.cwd)))
      return { path: fact.cwd, isCertain: true };
  }
  return suspected;
}

/** Returns the verdict for a path that is certainly outside the workspace: denied in every mode. */
export function denyOutside({ path }: Outside, workspace: readonly string[]): Verdict {
  return {
    kind: "deny",
    reason: `${path} is outside the workspace`,
    rule: "workspace-boundary",
    hint:
      workspace.length === 0
        ? "no workspace is set: pass createEngine({ workspace: [folder] })"
        : `the workspace is ${workspace.join(", ")}; add a folder to it to allow this`,
  };
}

function folderView(path: string): PathView {
  return new PathView({ kind: "path", path, access: "read" });
}

function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}
