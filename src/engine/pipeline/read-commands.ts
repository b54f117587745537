import type { PathWord } from "../../core/command.ts";
import type { CommandFact, Fact, PathFact } from "../../core/fact.ts";
import type { Line } from "../state/line.ts";
import { given } from "../state/passage.ts";
import type { Passage } from "../state/passage.ts";

/** Station: has policy read what a command's text would do, and resolves the paths it names, before anything is judged. */
export function readCommands(passage: Passage): undefined | Promise<undefined> {
  const { facts } = given(passage.job, "job");
  if (passage.line.policy.read === undefined || !facts.some(isCommand)) return undefined;
  return passage.orCancelled(readAll(passage.line, facts)).then((read) => setFacts(passage, read));
}

/** The job and the tool see the same facts: what was judged is what runs. */
export function setFacts(passage: Passage, facts: readonly Fact[]): undefined {
  const kept = Object.freeze([...facts]);
  passage.context.facts = kept;
  passage.job = { ...given(passage.job, "job"), facts: kept };
}

/** The tool's own facts stay the first ones and in their order: it finds its targets by it. */
async function readAll(line: Line, facts: readonly Fact[]): Promise<readonly Fact[]> {
  const read = await Promise.all(facts.map((fact) => readOne(line, fact)));
  const words = read.flatMap((fact) => (isCommand(fact) ? (fact.reading?.paths ?? []) : []));
  return [...read, ...(await Promise.all(words.map((word) => resolve(line, word))))];
}

async function readOne(line: Line, fact: Fact): Promise<Fact> {
  if (!isCommand(fact)) return fact;
  const reading = await line.policy.read?.(fact);
  return reading === undefined ? fact : { ...fact, reading };
}

/** A word that cannot be resolved is judged as it is written, and not taken for certain. */
async function resolve({ resolvePath }: Line, word: PathWord): Promise<PathFact> {
  const unresolved = { kind: "path", path: `${word.cwd}/${word.text}`, access: word.access } as const;
  const fact = await resolvePath?.(word).catch(() => undefined);
  if (fact === undefined) return { ...unresolved, suspected: true };
  return word.suspected === true ? { ...fact, suspected: true } : fact;
}

function isCommand(fact: Fact): fact is CommandFact {
  return fact.kind === "command";
}
