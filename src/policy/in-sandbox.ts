import type { Mode } from "../core/policy.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Limits } from "./layers/limits.ts";
import { staysInside, type Subject } from "./match/subject.ts";

/** In these modes calls of low risk run without approval. */
const FREE_MODES: ReadonlySet<Mode> = new Set(["yolo", "edits", "auto"]);

const TRIED: Verdict = {
  kind: "allow",
  reason: "it is tried in a read-only sandbox, in which it can change nothing and has no network",
  rule: "level.read-only",
  place: "sandbox",
  isGuarded: true,
};

/** Allows what runs in a sandbox without network, in the modes that allow low risk and would ask for more. */
export function allowInSandbox({ job }: Subject, { sandbox, modes }: Limits): Verdict | undefined {
  if (sandbox?.runsUnasked !== true || !modes.every((mode) => FREE_MODES.has(mode))) return undefined;
  if (!sandbox.isConfined(job)) return undefined;
  return { kind: "allow", reason: "it runs in a sandbox without network", rule: "sandbox" };
}

/** Allows a command that a read-only sandbox keeps from changing and reaching anything, in the modes that allow low risk and would ask for more. */
export function tryInSandbox(subject: Subject, limits: Limits): Verdict | undefined {
  return mayBeTried(subject, limits) ? TRIED : undefined;
}

function mayBeTried({ job, commands, parts, hosts, isMcp }: Subject, { modes, workspace }: Limits): boolean {
  if (job.tool.place !== "sandbox" || job.input["background"] === true || hosts.length > 0 || isMcp)
    return false;
  const isHere = parts.every((part) => staysInside(part, workspace));
  const isOpen = commands.every(({ fact }) => {
    const { reading, outside, interactive } = fact;
    return reading?.mayBeTried === true && outside !== true && interactive !== true;
  });
  return commands.length === 1 && isHere && isOpen && modes.every((mode) => FREE_MODES.has(mode));
}
