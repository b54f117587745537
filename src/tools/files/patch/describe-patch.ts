import { TOLERANCES } from "../match/match-old-string.ts";
import type { HunkNote } from "./apply-hunks.ts";
import type { PatchedFile } from "./plan.ts";
import { counted } from "../../../util/text/words.ts";

/** Returns how a part of a patch was matched, as text. */
export function describeNote({ label, line, offset, tolerance }: HunkNote): string {
  const lines = counted(Math.abs(offset), "line");
  const moved = offset === 0 ? "" : `, ${lines} ${offset > 0 ? "after" : "before"} the line in the patch`;
  const except = tolerance === undefined ? "" : `, except for ${TOLERANCES[tolerance]}`;
  return `${label} matched at line ${line}${moved}${except}`;
}

const DONE = { add: "added", update: "updated", delete: "deleted", move: "moved" } as const;

/** Returns what a patch did with a file, as text. */
export function describeFile({ path, action, from }: PatchedFile): string {
  return from === undefined ? `${DONE[action]} ${path}` : `${DONE[action]} ${from} to ${path}`;
}
