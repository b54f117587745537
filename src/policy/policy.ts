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

/** The built-in policy: the border of the workspace, protected targets, files nobody looked at, then mode × risk. Pure. */
export function createPolicy(options: PolicyOptions): Policy {
  return {
    judge(job) {
      const byMode = decideByMode(options.mode, job.tool.name, job.risk);
      return (job.facts.length === 0 ? undefined : judgeFacts(job, options, byMode)) ?? byMode;
    },
  };
}

/** What the facts add to the mode's verdict; they only ever make it stricter. */
function judgeFacts(
  { facts, tool }: Job,
  { mode, workspace }: PolicyOptions,
  byMode: Verdict,
): Verdict | undefined {
  for (const fact of facts) {
    const path = placeOf(fact);
    if (path !== undefined && !isInside(path, workspace)) return outside(path, workspace);
  }
  if (byMode.kind === "deny") return undefined;
  const target = facts.find(isProtectedWrite);
  if (target !== undefined) return protectedTarget(tool.name, target);
  const unread = mode === "yolo" ? undefined : facts.find(isUnread);
  return unread === undefined ? undefined : unreadOverwrite(tool.name, unread);
}

function placeOf(fact: Fact): string | undefined {
  if (fact.kind === "path") return fact.path;
  return fact.kind === "command" ? fact.cwd : undefined;
}

function isProtectedWrite(fact: Fact): fact is PathFact {
  return fact.kind === "path" && fact.access === "write" && isProtected(fact.path);
}

function protectedTarget(tool: string, { path }: PathFact): Verdict {
  return {
    kind: "ask",
    reason: `"${tool}" would write to ${path}, which can run code or change what is allowed`,
    rule: "protected-target",
  };
}

function isUnread(fact: Fact): fact is PathFact {
  return fact.kind === "path" && fact.unread === true;
}

function unreadOverwrite(tool: string, { path }: PathFact): Verdict {
  return {
    kind: "ask",
    reason: `"${tool}" would replace ${path}, which was not read in this session`,
    rule: "unread-overwrite",
    hint: "read the file first, then write it",
  };
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
