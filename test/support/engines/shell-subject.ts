import { posix } from "node:path";
import { createPolicyCommands } from "../../../src/app/host/policy.ts";
import type { CommandFact, Fact } from "../../../src/core/fact.ts";
import { toSubject, type Subject } from "../../../src/policy/match/subject.ts";
import type { CommandKnowledge } from "../../../src/shell/syntax/command-knowledge.ts";
import { HOME, jobOf, SHELL, WORKSPACE } from "./policy-jobs.ts";

const commands = createPolicyCommands(HOME);

/** The program tables. */
export const KNOWLEDGE: CommandKnowledge = commands.knowledge;

/** Reads command lines, one fact each, and returns them as policy compares them with rules, with the paths that they name and more facts. */
export async function shellSubject(
  texts: string | readonly string[],
  more: readonly Fact[] = [],
  changes: Partial<CommandFact> = {},
): Promise<Subject> {
  const facts: Fact[] = [];
  for (const text of typeof texts === "string" ? [texts] : texts) {
    const fact = { kind: "command", text, cwd: WORKSPACE, ...changes } as const;
    const reading = await commands.read(fact);
    facts.push({ ...fact, reading });
    for (const { text: word, cwd, access, suspected } of reading.paths) {
      const path = posix.resolve(cwd, word.replace(/^~(?=\/|$)/, HOME));
      facts.push({ kind: "path", path, access, ...(suspected === true && { suspected }) });
    }
  }
  return toSubject(jobOf([...facts, ...more], { tool: SHELL }), KNOWLEDGE);
}
