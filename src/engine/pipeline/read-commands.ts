import type { PathWord } from "../../core/command.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandFact, Fact, PathFact } from "../../core/fact.ts";
import { isPathFact } from "../checks/check-declared.ts";
import { required, type CallState } from "../call/call-state.ts";
import type { EngineParts } from "../types/engine-parts.ts";

/** Stage: has policy read the text of commands, and resolves the paths they name, before the call is judged. */
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
  const paths = await Promise.all(words.map((word) => resolve(engine, word)));
  const known = paths.some(({ isTooLong }) => isTooLong) ? read.map(withoutProof) : read;
  return [...known, ...paths.map(({ fact }) => fact)];
}

/** A command reaches such a path by several `cd`, and a link there may lead to any file. */
function withoutProof(fact: Fact): Fact {
  if (!isCommand(fact) || fact.reading === undefined) return fact;
  const doubt = "it names a path that is too long to be resolved";
  return { ...fact, reading: { ...fact.reading, certainty: "unreadable", isReadOnly: false, doubt } };
}

async function readOne(engine: EngineParts, fact: Fact): Promise<Fact> {
  if (!isCommand(fact)) return fact;
  const reading = await engine.policy.read?.(fact);
  return reading === undefined ? fact : { ...fact, reading };
}

interface Resolved {
  readonly fact: PathFact;
  readonly isTooLong: boolean;
}

/** Returns a path that cannot be resolved as it is written, marked as suspected. */
async function resolve({ resolvePath }: EngineParts, word: PathWord): Promise<Resolved> {
  const path = word.text.startsWith("/") ? word.text : `${word.cwd}/${word.text}`;
  let isTooLong = false;
  const fact = await resolvePath?.(word).catch((error: unknown) => {
    isTooLong = isBeyondLimit(error, word);
    return undefined;
  });
  if (fact === undefined || !isPathFact(fact))
    return { fact: { kind: "path", path, access: word.access, suspected: true }, isTooLong };
  return { fact: word.suspected === true ? { ...fact, suspected: true } : fact, isTooLong };
}

const MAX_PATH = 4095;
const MAX_NAME = 255;

/** Returns true if no system call takes the whole path, although each of its names, and the word itself, may exist. */
function isBeyondLimit(error: unknown, { text }: PathWord): boolean {
  if (!(error instanceof ToolError) || error.details?.["errno"] !== "ENAMETOOLONG") return false;
  return text.length <= MAX_PATH && text.split("/").every(({ length }) => length <= MAX_NAME);
}

function isCommand(fact: Fact): fact is CommandFact {
  return fact.kind === "command";
}
