import type { Fact, PathFact } from "../../core/fact.ts";
import type { ChangedFile } from "../../core/hook.ts";
import type { Passage } from "../state/passage.ts";

/** Station: a call that is about to change files will tell of them itself; whoever watches them need not. */
export function claimChanges(passage: Passage): undefined {
  passage.targets = targetsOf(passage);
  for (const { path } of passage.targets) passage.line.changes.claim(path);
  return undefined;
}

/** The call is over, whatever came of it. */
export function releaseChanges({ line, targets }: Passage): void {
  for (const { path } of targets) line.changes.release(path);
}

/**
 * Tells what a call has changed that succeeded: every file that its tool named as a target of its own. What a command
 * may have written is not known, so of a call that runs one nothing is told.
 */
export function tellChanges({ line, call, options, targets }: Passage): void {
  const { session } = options;
  for (const fact of targets) {
    const by = { callId: call.id, ...(session === undefined ? {} : { session }) };
    line.changes.tell({ path: fact.path, change: changeOf(fact) }, by);
  }
}

function targetsOf({ line, job, targets }: Passage): readonly PathFact[] {
  if (job === undefined || job.facts.length === 0 || !line.changes.isHeard()) return targets;
  if (job.facts.some((fact) => fact.kind === "command")) return targets;
  return job.facts.filter(isTarget);
}

function isTarget(fact: Fact): fact is PathFact {
  return fact.kind === "path" && fact.access === "write" && fact.suspected !== true;
}

function changeOf({ change, inode }: PathFact): ChangedFile["change"] {
  if (change === "delete") return "deleted";
  return inode === undefined ? "created" : "changed";
}
