import type { ToolContext } from "../../../core/context.ts";
import type { PathFact } from "../../../core/fact.ts";
import { runRipgrep } from "../../../system/process/ripgrep.ts";
import type { Ends, Place } from "./grep-place.ts";
import { protectedIn, visibleIn } from "./visible-files.ts";

/**
 * Returns a line about the files that a search of a folder leaves out because they are protected; none if there are none. All of them are counted, whether or
 * not they match: otherwise a pattern could spell out a secret.
 */
export async function protectedNotes(
  place: Place,
  { path }: PathFact,
  context: ToolContext,
  ends: Ends,
): Promise<readonly string[]> {
  const isProtected = protectedIn(context, path);
  if (place.stdin !== undefined || isProtected === undefined) return [];
  const isVisible = visibleIn(context, path);
  let count = 0;
  await runRipgrep({
    args: ["--files", "--null", ...place.filter, "./"],
    cwd: place.cwd,
    ...ends,
    separator: "\0",
    onLine(file) {
      if (place.isMeant(file) && isVisible(file) && isProtected(file)) count += 1;
      return true;
    },
  });
  if (count === 0) return [];
  const files = count === 1 ? "1 protected file was" : `${count} protected files were`;
  return [
    `[${files} not searched: a call that names such a file asks for approval; a rule that names it allows it]`,
  ];
}
