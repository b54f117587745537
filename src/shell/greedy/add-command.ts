import type { Redirect, SimpleCommand, Word } from "../../core/command.ts";
import { afterCd } from "../syntax/follow-cd.ts";
import type { Collected } from "./collected.ts";
import { doubt } from "./collected.ts";
import { countVariants, guessText, guessWords } from "./guess-words.ts";
import type { Known } from "./known.ts";
import type { LexedWord, RedirectToken, Token } from "./lexed.ts";
import type { Outcome } from "./outcome.ts";
import { stay } from "./outcome.ts";
import { assignmentOf } from "./read-word.ts";

const MAX_COMMANDS = 2000;
const MAX_VARIANTS = 6;

/** Where a command stands. */
export interface Spot {
  readonly cwds: readonly string[];
  readonly via: readonly string[];
}

/**
 * Adds the command that the tokens make, once for each guess of what its words may be, and says where the shell is
 * after it.
 */
export function addCommand(tokens: readonly Token[], spot: Spot, collected: Collected): Outcome {
  const parts = partsOf(tokens);
  const { known } = collected;
  const all = [...parts.assignments, ...parts.words, ...parts.redirects.map(({ target }) => target)];
  const count = Math.min(MAX_VARIANTS, Math.max(1, ...all.map((word) => countVariants(word, known))));
  const guesses: SimpleCommand[] = [];
  for (let variant = 0; variant < count; variant += 1) {
    guesses.push(...guessCommands(parts, spot, { ...known, variant }));
  }
  const distinct = count === 1 ? guesses : withoutTwins(guesses);
  if (collected.commands.length + distinct.length > MAX_COMMANDS)
    collected.findings.fault ??= "it has too many commands";
  else collected.commands.push(...distinct);
  for (const guess of distinct) addFunctionCall(guess, collected);
  if (distinct[0] === undefined) return stay(spot.cwds);
  const [first] = parts.words;
  if (first !== undefined && !guessText(first, known).literal) return UNKNOWN_FOLDER;
  const isSure = parts.words.every((word) => guessText(word, known).literal);
  return outcomeOf(distinct[0], isSure, spot.cwds, collected);
}

function withoutTwins(guesses: readonly SimpleCommand[]): readonly SimpleCommand[] {
  return [...new Map(guesses.map((guess) => [JSON.stringify(guess), guess])).values()];
}

interface Parts {
  readonly assignments: readonly LexedWord[];
  readonly words: readonly LexedWord[];
  readonly redirects: readonly RedirectToken[];
}

function partsOf(tokens: readonly Token[]): Parts {
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

/** One guess; and where the first word may come to nothing, also the one that it comes to something unknown. */
function guessCommands(parts: Parts, { cwds, via }: Spot, known: Known): readonly SimpleCommand[] {
  const assignments = parts.assignments.map((word) => guessText(word, withinValue(word, known)));
  const redirects = parts.redirects.flatMap((token) => redirectsOf(token, known));
  const words = parts.words.flatMap((word) => guessWords(word, known));
  const isRewired = redirects.length < parts.redirects.length;
  const rest = { assignments, redirects, ...(isRewired && { rewired: true as const }), cwds, via };
  const [first, ...more] = parts.words;
  if (first === undefined || guessWords(first, known).length > 0) {
    return words.length + assignments.length + redirects.length === 0 ? [] : [{ words, ...rest }];
  }
  const unknown: Word = { text: first.source, literal: false };
  const asWritten = [unknown, ...more.flatMap((word) => guessWords(word, known))];
  const isNothing = words[0] === undefined || words[0].text.startsWith("-");
  return [...(isNothing ? [] : [{ words, ...rest }]), { words: asWritten, ...rest }];
}

/** In `x=$x:y` the second is not what the first is given here. */
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

/** What a function is given, it may run. */
function addFunctionCall({ words, cwds, via }: SimpleCommand, collected: Collected): void {
  const [program, ...given] = words;
  if (program === undefined || given.length === 0 || !collected.findings.functions.has(program.text)) return;
  collected.commands.push({ words: given, assignments: [], redirects: [], cwds, via: [...via, "function"] });
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
  if (values.has("CDPATH") || values.has("HOME"))
    doubt(collected, "where cd leads to is changed by a variable");
  const folders = values.has("CDPATH")
    ? []
    : afterCd([program, ...rest], cwds, values.has("HOME") ? undefined : home);
  return { ok: folders, failed: cwds };
}

/** Whether text that runs in this shell may change its folder. */
function movesWithin(program: string, rest: readonly Word[]): boolean {
  return program !== "eval" || rest.some(({ text }) => /\b(?:cd|chdir|pushd|popd)\b/.test(text));
}
