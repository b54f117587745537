import type { PathFact } from "../core/fact.ts";
import type { ChangedFile } from "../core/hook.ts";
import type { Passage } from "./passage.ts";

/**
 * Tells what a call has changed that succeeded: every file that its tool named as a target of its own. What a command
 * may have written is not known, so of a call that runs one nothing is told.
 */
export function tellChanges({ line, call, options, job }: Passage): void {
  const { changes } = line;
  if (job === undefined || !changes.isHeard()) return;
  if (job.facts.some((fact) => fact.kind === "command")) return;
  const { session } = options;
  const by = { callId: call.id, ...(session === undefined ? {} : { session }) };
  for (const fact of job.facts) {
    if (fact.kind === "path" && fact.access === "write" && fact.suspected !== true) {
      changes.tell({ path: fact.path, change: changeOf(fact) }, by);
    }
  }
}

function changeOf({ change, inode }: PathFact): ChangedFile["change"] {
  if (change === "delete") return "deleted";
  return inode === undefined ? "created" : "changed";
}
