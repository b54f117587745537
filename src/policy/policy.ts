import type { Fact, PathFact } from "../core/fact.ts";
import type { Job } from "../core/job.ts";
import type { Mode, Policy, Verdict } from "../core/policy.ts";
import { decideByMode } from "./modes.ts";
import { isProtected } from "./protected.ts";

export interface PolicyOptions {
  readonly mode: Mode;
  /** Canonical folders that calls may touch. */
  readonly workspace: readonly string[];
}

/** The built-in policy: the border of the workspace, then protected targets, then mode × risk. Pure. */
export function createPolicy({ mode, workspace }: PolicyOptions): Policy {
  return {
    judge(job) {
      const byMode = decideByMode(mode, job.tool.name, job.risk);
      return (job.facts.length === 0 ? undefined : judgeFacts(job, workspace, byMode)) ?? byMode;
    },
  };
}

/** What the facts add to the mode's verdict; they only ever make it stricter. */
function judgeFacts(
  { facts, tool }: Job,
  workspace: readonly string[],
  byMode: Verdict,
): Verdict | undefined {
  for (const fact of facts) {
    const path = placeOf(fact);
    if (path !== undefined && !isInside(path, workspace)) return outside(path, workspace);
  }
  const target = facts.find((fact): fact is PathFact => isProtectedWrite(fact));
  if (target === undefined || byMode.kind === "deny") return undefined;
  return {
    kind: "ask",
    reason: `"${tool.name}" would write to ${target.path}, which can run code or change what is allowed`,
    rule: "protected-target",
  };
}

function placeOf(fact: Fact): string | undefined {
  if (fact.kind === "path") return fact.path;
  return fact.kind === "command" ? fact.cwd : undefined;
}

function isProtectedWrite(fact: Fact): boolean {
  return fact.kind === "path" && fact.access === "write" && isProtected(fact.path);
}

function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`),
  );
}

function outside(path: string, workspace: readonly string[]): Verdict {
  return {
    kind: "deny",
    reason: `${path} is outside the workspace`,
    rule: "workspace-border",
    hint:
      workspace.length === 0
        ? "no workspace is set: pass createEngine({ workspace: [folder] })"
        : `the workspace is ${workspace.join(", ")}; add a folder to it to allow this`,
  };
}
