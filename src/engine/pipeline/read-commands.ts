import type { PathWord } from "../../core/command.ts";
import type { CommandFact, Fact, PathFact } from "../../core/fact.ts";
import { isPathFact } from "../checks/check-declared.ts";
import { required, type CallState } from "../call/call-state.ts";
import type { EngineParts } from "../types/engine-parts.ts";

/** Stage: has policy read the text of commands and resolves the paths they name, before the call is judged. */
export function readCommands(state: CallState): undefined | Promise<undefined> {
  const { facts } = required(state.job, "job");
  if (state.engine.policy.read === undefined || !facts.some(isCommand)) return undefined;
  return state.orCancelled(readAll(state.engine, facts)).then((read) => {
    state.setFacts(read);
    return undefined;
  });
}

/** The tool's own facts stay first and in order: the tool finds its targets by position. */
async function readAll(engine: EngineParts, facts: readonly Fact[]): Promise<readonly Fact[]> {
  const read = await Promise.all(facts.map((fact) => readOne(engine, fact)));
  const words = read.flatMap((fact) => (isCommand(fact) ? (fact.reading?.paths ?? []) : []));
  return [...read, ...(await Promise.all(words.map((word) => resolve(engine, word))))];
}

async function readOne(engine: EngineParts, fact: Fact): Promise<Fact> {
  if (!isCommand(fact)) return fact;
  const reading = await engine.policy.read?.(fact);
  return reading === undefined ? fact : { ...fact, reading };
}

/** Returns a path that cannot be resolved as it is written, marked as suspected. */
async function resolve({ resolvePath }: EngineParts, word: PathWord): Promise<PathFact> {
  const path = word.text.startsWith("/") ? word.text : `${word.cwd}/${word.text}`;
  const unresolved = { kind: "path", path, access: word.access } as const;
  const fact = await resolvePath?.(word).catch(() => undefined);
  if (fact === undefined || !isPathFact(fact)) return { ...unresolved, suspected: true };
  return word.suspected === true ? { ...fact, suspected: true } : fact;
}

function isCommand(fact: Fact): fact is CommandFact {
  return fact.kind === "command";
}
