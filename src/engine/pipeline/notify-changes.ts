import type { Fact, PathFact } from "../../core/fact.ts";
import type { ChangedFile } from "../../core/hook.ts";
import type { CallState } from "../call/call-state.ts";

/** Stage: claims the files that the call is about to change, so that a file watcher does not report them too. */
export function claimChanges(state: CallState): undefined {
  state.targets = targetsOf(state);
  for (const { path } of state.targets) state.engine.changes.claim(path);
  return undefined;
}

/** Releases the claims at the end of the call, whether it succeeded or not. */
export function releaseChanges({ engine, targets }: CallState): void {
  for (const { path } of targets) engine.changes.release(path);
}

/**
 * Reports every file that a successful call declared as a target. Reports nothing for a call that runs a command, since the
 * files a command writes are unknown.
 */
export function notifyChanges({ engine, call, options, targets }: CallState): void {
  const { session, parentId } = options;
  for (const fact of targets)
    engine.changes.notify(
      { path: fact.path, change: changeOf(fact) },
      { callId: call.id, session, parentId },
    );
}

function targetsOf({ engine, job, targets }: CallState): readonly PathFact[] {
  if (job === undefined || job.facts.length === 0 || !engine.changes.isObserved()) return targets;
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
