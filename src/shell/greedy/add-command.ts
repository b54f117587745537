import type { Redirect, SimpleCommand, Word } from "../../core/command.ts";
import { spend, TOO_COSTLY } from "../syntax/budget.ts";
import { afterCd, stay, type Outcome } from "../syntax/follow-cd.ts";
import { doubt, type Collected, type Known, type Origin } from "./collected.ts";
import { countVariants, guessText, guessWords } from "./guess-words.ts";
import type { LexedWord, RedirectToken, Token } from "./lexed.ts";
import { assignmentOf } from "./read-word.ts";

/** Each value of a variable may be the one that matters. */
const MAX_VARIANTS = 1024;
const STEPS_PER_COMMAND = 20;

/** Adds the command that the tokens form, once per guess of its words, and returns the folders of the shell after it. */
export function addCommand(
  tokens: readonly Token[],
  origin: Origin,
  collected: Collected,
  input?: Word,
): Outcome {
  const parts = { ...partsOf(tokens), input };
  const { known } = collected;
  const all = [...parts.assignments, ...parts.words, ...parts.redirects.map(({ target }) => target)];
  const count = Math.max(1, ...all.map((word) => countVariants(word, known)));
  if (count > MAX_VARIANTS) collected.findings.fault ??= TOO_COSTLY;
  const tried = Array.from({ length: Math.min(count, MAX_VARIANTS) }, (_, variant) =>
    guessCommands(parts, origin, { ...known, variant }),
  );
  const [likely] = tried[0] ?? [];
  const distinct = count === 1 ? (tried[0] ?? []) : withoutDuplicates(inOrder(tried, count - 1));
  const words = distinct.reduce((sum, guess) => sum + guess.words.length, STEPS_PER_COMMAND);
  if (spend(known.budget, words)) collected.commands.push(...distinct);
  else collected.findings.fault ??= TOO_COSTLY;
  for (const guess of distinct) addFunctionCall(guess, collected);
  if (likely === undefined) return stay(origin.cwds);
  const [first] = parts.words;
  if (first !== undefined && !guessText(first, known).literal) return UNKNOWN_FOLDER;
  const isSure = parts.words.every((word) => guessText(word, known).literal);
  return outcomeOf(likely, isSure, origin.cwds, collected);
}

/** Returns the commands in the order in which a loop runs them; the guess that there is no value comes last. */
function inOrder(tried: readonly (readonly SimpleCommand[])[], values: number): readonly SimpleCommand[] {
  return [...tried.slice(0, values).toReversed(), ...tried.slice(values)].flat();
}

function withoutDuplicates(guesses: readonly SimpleCommand[]): readonly SimpleCommand[] {
  return [...new Map(guesses.map((guess) => [JSON.stringify(guess), guess])).values()];
}

interface Parts {
  readonly assignments: readonly LexedWord[];
  readonly words: readonly LexedWord[];
  readonly redirects: readonly RedirectToken[];
  readonly input: Word | undefined;
}

function partsOf(tokens: readonly Token[]): Omit<Parts, "input"> {
  const words = tokens.flatMap((token) => {
    if (token.kind === "word") return [token.word];
    return token.kind === "condition" && token.words.length > 0
      ? [TEST_OPEN, ...token.words, TEST_CLOSE]
      : [];
  });
  const start = words.findIndex((word) => assignmentOf(word) === undefined);
  const end = start < 0 ? words.length : start;
  const redirects = tokens.filter((token) => token.kind === "redirect");
  return { assignments: words.slice(0, end), words: words.slice(end), redirects };
}

const TEST_OPEN = plain("[[");
const TEST_CLOSE = plain("]]");

function plain(text: string): LexedWord {
  return { pieces: [{ kind: "text", text, isQuoted: true }], source: text, codes: [] };
}

/** Returns one guess. If the first word may be empty, also returns the guess that it is an unknown program. */
function guessCommands(parts: Parts, { cwds, via }: Origin, known: Known): readonly SimpleCommand[] {
  const assignments = parts.assignments.map((word) => guessText(word, withinValue(word, known)));
  const redirects = parts.redirects.flatMap((token) => redirectsOf(token, known));
  const words = parts.words.flatMap((word) => guessWords(word, known));
  const isRewired = redirects.length < parts.redirects.length;
  const { input } = parts;
  const origin = {
    ...(isRewired && { rewired: true as const }),
    ...(input !== undefined && { input }),
    cwds,
    via,
  };
  const rest = { assignments, redirects, ...origin };
  const [first, ...more] = parts.words;
  if (first === undefined || guessWords(first, known).length > 0) {
    return words.length + assignments.length + redirects.length === 0 ? [] : [{ words, ...rest }];
  }
  const unknown: Word = { text: first.source, literal: false };
  const asWritten = [unknown, ...more.flatMap((word) => guessWords(word, known))];
  const isNothing = words[0] === undefined || words[0].text.startsWith("-");
  return [...(isNothing ? [] : [{ words, ...rest }]), { words: asWritten, ...rest }];
}

/** In `x=$x:y` the second `x` is the previous value. */
function withinValue(word: LexedWord, known: Known): Known {
  return { ...known, within: [assignmentOf(word)?.name ?? ""] };
}

function redirectsOf({ operator, target, document }: RedirectToken, known: Known): readonly Redirect[] {
  if (document !== undefined || operator === "<<<") return [];
  const word = guessText(target, known);
  const isDescriptor = word.literal && /^(?:\d+-?|-)$/.test(word.text);
  if (operator.endsWith("&") && isDescriptor) return [];
  if (operator === "<>") {
    return [
      { access: "read", target: word },
      { access: "write", target: word },
    ];
  }
  return [{ access: operator.startsWith("<") ? "read" : "write", target: word }];
}

/** A function may run its arguments as a command. */
function addFunctionCall({ words, cwds, via }: SimpleCommand, collected: Collected): void {
  const [program, ...rest] = words;
  if (program === undefined || rest.length === 0 || !collected.findings.functions.has(program.text)) return;
  collected.commands.push({ words: rest, assignments: [], redirects: [], cwds, via: [...via, "function"] });
}

const UNKNOWN_FOLDER: Outcome = { ok: [], failed: [] };
const RUNS_HERE: ReadonlySet<string> = new Set(["eval", "source", "."]);

function outcomeOf(
  { words }: SimpleCommand,
  isSure: boolean,
  cwds: readonly string[],
  collected: Collected,
): Outcome {
  const { values, home } = collected.known;
  const start = words.findIndex(({ text }) => text !== "command" && text !== "builtin");
  const [program, ...rest] = words.slice(start < 0 ? words.length : start);
  if (program === undefined) return stay(cwds);
  if (!program.literal) return UNKNOWN_FOLDER;
  if (RUNS_HERE.has(program.text)) {
    return isSure && !movesWithin(program.text, rest) ? stay(cwds) : UNKNOWN_FOLDER;
  }
  if (program.text === "pushd" || program.text === "popd") return { ok: [], failed: cwds };
  if (program.text !== "cd" && program.text !== "chdir") return stay(cwds);
  if (!isSure) return { ok: [], failed: cwds };
  if (values.has("CDPATH") || values.has("HOME")) doubt(collected, "a variable changes the target of cd");
  const folders = values.has("CDPATH")
    ? []
    : afterCd([program, ...rest], cwds, values.has("HOME") ? undefined : home);
  return { ok: folders, failed: cwds };
}

/** Returns true if text that runs in this shell may change its folder. */
function movesWithin(program: string, rest: readonly Word[]): boolean {
  return program !== "eval" || rest.some(({ text }) => /\b(?:cd|chdir|pushd|popd)\b/.test(text));
}
