import type { Redirect, SimpleCommand, Word } from "../../core/command.ts";
import { spend, TOO_COSTLY } from "../syntax/budget.ts";
import { afterCd, stay, type Outcome } from "../syntax/follow-cd.ts";
import { doubt, type Collected, type Known, type Origin } from "./collected.ts";
import { countVariants, guessAll, guessText, guessWords, isFixed } from "./guess-words.ts";
import type { LexedWord, RedirectToken, Token } from "./lexed.ts";
import { assignmentOf } from "./read-word.ts";
import type { Changing } from "../../util/json/changing.ts";

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
  const guesses = guessCommands(parts, origin, { ...known, variant: 0 });
  const [likely] = guesses;
  const distinct = count === 1 ? guesses : guessVariants(guesses, count, parts, { origin, known });
  const words = distinct.reduce((sum, guess) => sum + guess.words.length, STEPS_PER_COMMAND);
  if (spend(known.budget, words)) collected.commands.push(...distinct);
  else collected.findings.fault ??= TOO_COSTLY;
  for (const guess of distinct) addFunctionCall(guess, collected);
  if (likely === undefined) return stay(origin.cwds);
  const [first] = parts.words;
  if (first !== undefined && !isFixed(first)) return UNKNOWN_FOLDER;
  const isSure = parts.words.every(isFixed);
  return outcomeOf(likely, isSure, origin.cwds, collected);
}

/** Returns the distinct commands in the order in which a loop runs them; the guess that there is no value comes last. */
function guessVariants(
  first: readonly SimpleCommand[],
  count: number,
  parts: Parts,
  { origin, known }: { readonly origin: Origin; readonly known: Known },
): readonly SimpleCommand[] {
  const tried = [first];
  for (let variant = 1; variant < Math.min(count, MAX_VARIANTS); variant += 1)
    tried.push(guessCommands(parts, origin, { ...known, variant }));
  const distinct = new Map<string, SimpleCommand>();
  const add = (guesses: readonly SimpleCommand[]): void => {
    for (const guess of guesses) {
      const key = keyOf(guess);
      if (!distinct.has(key)) distinct.set(key, guess);
    }
  };
  const values = count - 1;
  for (let at = Math.min(values, tried.length) - 1; at >= 0; at -= 1) add(tried[at] ?? []);
  for (let at = values; at < tried.length; at += 1) add(tried[at] ?? []);
  return [...distinct.values()];
}

/** Returns a text that is the same only for guesses that are: those of one command differ in nothing else. */
function keyOf({ words, assignments, redirects }: SimpleCommand): string {
  let key = "";
  for (const word of words) key += keyOfWord(word);
  key += "=";
  for (const word of assignments) key += keyOfWord(word);
  for (const { access, target } of redirects) key += access + keyOfWord(target);
  return key;
}

function keyOfWord({ text, literal }: Word): string {
  return `${text.length}${literal ? "'" : "$"}${text}`;
}

interface Parts {
  readonly assignments: readonly LexedWord[];
  readonly words: readonly LexedWord[];
  readonly redirects: readonly RedirectToken[];
  readonly input: Word | undefined;
}

function partsOf(tokens: readonly Token[]): Omit<Parts, "input"> {
  const words: LexedWord[] = [];
  for (const token of tokens) {
    if (token.kind === "word") words.push(token.word);
    else if (token.kind === "condition" && token.words.length > 0)
      words.push(TEST_OPEN, ...token.words, TEST_CLOSE);
  }
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
  const redirects =
    parts.redirects.length === 0 ? [] : parts.redirects.flatMap((token) => redirectsOf(token, known));
  const [first, ...more] = parts.words;
  const program = first === undefined ? NO_WORDS : guessWords(first, known);
  const operands = guessAll(more, known);
  const words = [...program, ...operands];
  const rest: Changing<Omit<SimpleCommand, "words">> = { assignments, redirects, cwds, via };
  if (redirects.length < parts.redirects.length) rest.rewired = true;
  if (parts.input !== undefined) rest.input = parts.input;
  if (first === undefined || program.length > 0) {
    return words.length + assignments.length + redirects.length === 0 ? [] : [{ words, ...rest }];
  }
  const unknown: Word = { text: first.source, literal: false };
  const asWritten = [unknown, ...operands];
  const isNothing = words[0] === undefined || words[0].text.startsWith("-");
  return [...(isNothing ? [] : [{ words, ...rest }]), { words: asWritten, ...rest }];
}

const NO_WORDS: readonly Word[] = [];

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
