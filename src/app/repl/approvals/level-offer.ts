import type { ApprovalRequest } from "../../../core/approval.ts";

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
