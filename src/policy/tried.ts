import type { Mode } from "../core/policy.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Limits } from "./layers/limits.ts";
import { staysInside, type Subject } from "./match/subject.ts";

/** The modes that allow low risk and ask about more, and the one that asks about nothing. */
export const FREE_MODES: ReadonlySet<Mode> = new Set(["yolo", "edits", "auto"]);

/** The verdict on a command that is tried. */
export const TRIED: Verdict = {
  kind: "allow",
  reason: "it is tried in a read-only sandbox, in which it can change and reach nothing",
  rule: "level.read-only",
  place: "sandbox",
  isGuarded: true,
};

/** Returns true for a command that may run in a read-only sandbox, in the modes that allow low risk and would ask for more. */
export function mayBeTried(
  { job, commands, parts, hosts, isMcp }: Subject,
  { modes, workspace }: Limits,
): boolean {
  if (job.tool.place !== "sandbox" || job.input["background"] === true || hosts.length > 0 || isMcp)
    return false;
  const isHere = parts.every((part) => staysInside(part, workspace));
  const isOpen = commands.every(({ fact }) => {
    const { reading, outside, interactive } = fact;
    return reading?.mayBeTried === true && outside !== true && interactive !== true;
  });
  return commands.length === 1 && isHere && isOpen && modes.every((mode) => FREE_MODES.has(mode));
}
