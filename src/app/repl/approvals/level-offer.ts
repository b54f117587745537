import type { ApprovalRequest } from "../../../core/approval.ts";
import type { Level } from "../../../core/policy.ts";

/** What each level does with a command that no rule allows, for people. */
export const LEVEL_TEXTS: Readonly<Record<Level, string>> = {
  "read-only":
    "commands are tried in a sandbox that can change and reach nothing; you are asked about those that fail in it",
  workspace: "commands run in a sandbox without network that can change only this folder",
  ask: "you are asked about every command that is not proven to only read",
};

/** Returns a line about the level that is in force. */
export function levelText(level: Level): string {
  return `level ${level}: ${LEVEL_TEXTS[level]}`;
}

/** How often the same command is asked about before the levels are offered again. */
const REPEATED = 3;

/** Counts questions about the same command; `isDue` returns true once, after the third approval of one. */
export function createLevelOffer() {
  const counts = new Map<string, number>();
  let isOffered = false;
  return {
    isDue({ facts }: Pick<ApprovalRequest, "facts">): boolean {
      const commands = facts.flatMap((fact) => (fact.kind === "command" ? [[fact.text, fact.cwd]] : []));
      if (commands.length === 0 || isOffered) return false;
      const key = JSON.stringify(commands);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      isOffered = count >= REPEATED;
      return isOffered;
    },
  };
}
