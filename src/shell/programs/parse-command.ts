import type { SimpleCommand, Word } from "../../core/command.ts";
import { baseName } from "../syntax/shell-arguments.ts";
import { findProgram } from "./find-program.ts";
import { flagTable, type FlagTable } from "./flag-table.ts";
import type { Flag, Program, Usage, Use, UsedFlag } from "./tables/program.ts";

/** A command, with its arguments parsed by the table of its program. */
export interface ParsedCommand {
  readonly command: SimpleCommand;
  /** The base name of its program, or the best guess; empty if there is none. */
  readonly name: string;
  /** Undefined if it is not in the tables. */
  readonly program: Program | undefined;
  readonly use: Use;
}

const UNKNOWN: Program = { names: "" };

/** Parses the arguments of a command by the table of its program, or by an empty table. */
export function parseCommand(command: SimpleCommand): ParsedCommand {
  const { words } = command;
  const name = baseName(words[0]?.text ?? "");
  const program = findProgram(name);
  return { command, name, program, use: parseUse(program ?? UNKNOWN, words) };
}

/** Parses the words of a command, beginning with the program, as GNU getopt does. Never fails. */
export function parseUse(program: Program, words: readonly Word[]): Use {
  const reading: Reading = {
    usage: program,
    table: flagTable(program.flags),
    subcommands: [],
    flags: [],
    operands: [],
    unknown: [],
    plainOperands: undefined,
    isUncertain: false,
    restAt: undefined,
  };
  let at = 1;
  while (at < words.length) {
    const next = readWord(reading, program, words, at);
    if (next === undefined) break;
    at = next;
  }
  return finish(reading, words.length);
}

interface Reading {
  usage: Usage;
  table: FlagTable;
  readonly subcommands: string[];
  readonly flags: UsedFlag[];
  readonly operands: Word[];
  readonly unknown: Word[];
  plainOperands: number | undefined;
  isUncertain: boolean;
  restAt: number | undefined;
}

function finish(reading: Reading, length: number): Use {
  const { usage, subcommands, flags, operands, unknown, isUncertain } = reading;
  const plainOperands = reading.plainOperands ?? operands.length;
  const restAt = reading.restAt ?? length;
  return { usage, subcommands, flags, operands, unknown, isUncertain, plainOperands, restAt };
}

/** Reads the word at `at`. Returns the index of the next one, or undefined if the remaining words are operands. */
function readWord(
  reading: Reading,
  program: Program,
  words: readonly Word[],
  at: number,
): number | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  if (reading.plainOperands !== undefined) return addOperand(reading, words, at);
  if (!word.literal) reading.isUncertain = true;
  if (word.text.length < 2 || !word.text.startsWith("-")) return addOperand(reading, words, at);
  // `find` ignores it.
  if (program.hasWordFlags) return readWordFlag(reading, words, at);
  if (word.text === "--") return endOptions(reading, words, at);
  return word.text.startsWith("--") ? readLong(reading, words, at) : readCluster(reading, words, at);
}

function addOperand(reading: Reading, words: readonly Word[], at: number): number | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  const subcommand = reading.operands.length === 0 ? subcommandOf(reading.usage, word) : undefined;
  if (subcommand !== undefined && reading.plainOperands === undefined) {
    reading.usage = subcommand;
    reading.table = flagTable(subcommand.flags);
    reading.subcommands.push(word.text);
    return at + 1;
  }
  reading.restAt ??= at;
  if (reading.usage.stopsAtOperand) {
    reading.operands.push(...words.slice(at));
    return undefined;
  }
  reading.operands.push(word);
  return at + 1;
}

function endOptions(reading: Reading, words: readonly Word[], at: number): number | undefined {
  reading.plainOperands = reading.operands.length;
  if (!reading.usage.stopsAtOperand) return at + 1;
  reading.restAt = at + 1;
  reading.operands.push(...words.slice(at + 1));
  return undefined;
}

function readWordFlag(reading: Reading, words: readonly Word[], at: number): number {
  const { word, name, attached } = splitAt(words, at);
  const whole = reading.table.bySpelling.get(word.text);
  if (whole !== undefined) return useFlag(reading, whole, words, { at });
  const flag = attached === undefined ? undefined : reading.table.bySpelling.get(name);
  if (flag === undefined || flag.values.length === 0) return addUnknown(reading, word, at);
  return useFlag(reading, flag, words, { at, attached });
}

function readLong(reading: Reading, words: readonly Word[], at: number): number {
  const { word, name, attached } = splitAt(words, at);
  const exact = reading.table.bySpelling.get(name);
  const flag = exact ?? abbreviated(reading.table, name);
  if (flag === undefined) return addUnknown(reading, word, at);
  if (attached !== undefined && flag.values.length === 0) addUnknown(reading, word, at);
  return useFlag(reading, flag, words, { at, attached, isAbbreviated: exact === undefined });
}

/** Returns the flag of an abbreviation; if ambiguous, preferably one that executes or writes. */
function abbreviated(table: FlagTable, name: string): Flag | undefined {
  let best: Flag | undefined;
  for (const long of table.longs) {
    if (!long.startsWith(name)) continue;
    const flag = table.bySpelling.get(long);
    if (flag !== undefined && (best === undefined || isListed(flag))) best = flag;
  }
  return best;
}

/** Returns true for a flag that executes or writes. */
export function isListed({ effect }: Flag): boolean {
  return effect === "writes" || effect === "executes";
}

function readCluster(reading: Reading, words: readonly Word[], at: number): number {
  const { bySpelling, number } = reading.table;
  const word = words[at] ?? { text: "", literal: false };
  let next = at + 1;
  for (let index = 1; index < word.text.length; index++) {
    const flag = bySpelling.get(`-${word.text.charAt(index)}`);
    if (flag === undefined && number !== undefined && /^\d+$/.test(word.text.slice(index))) {
      return useFlag(reading, number, words, { at });
    }
    if (flag === undefined) return addUnknown(reading, word, at);
    const attached = word.text.slice(index + 1);
    if (flag.values.length > 0) {
      return useFlag(reading, flag, words, { at, attached: attached === "" ? undefined : attached });
    }
    next = useFlag(reading, flag, words, { at });
  }
  return next;
}

interface Place {
  readonly at: number;
  readonly attached?: string | undefined;
  readonly isAbbreviated?: boolean;
}

/** Records a flag with its values. Returns the index of the next word. */
function useFlag(reading: Reading, flag: Flag, words: readonly Word[], place: Place): number {
  const { at, attached, isAbbreviated = false } = place;
  const word = words[at] ?? { text: "", literal: false };
  const values: Word[] = attached === undefined ? [] : [{ text: attached, literal: word.literal }];
  let next = at + 1;
  while (!flag.isOptional && values.length < flag.values.length && next < words.length) {
    const value = words[next] ?? word;
    if (!value.literal) reading.isUncertain = true;
    values.push(value);
    next += 1;
  }
  reading.flags.push({ flag, word, values, isAbbreviated, at });
  return startsCommand(reading.usage, flag) ? endOfCommand(words, next) : next;
}

function startsCommand({ starts }: Usage, { name }: Flag): boolean {
  return starts?.some((start) => start.kind === "until" && start.flags.includes(name)) ?? false;
}

/** Returns the index after a command given to `-exec`: after its `;`, its `{} +`, or the last word. */
export function endOfCommand(words: readonly Word[], from: number): number {
  for (let at = from; at < words.length; at++) {
    const text = words[at]?.text;
    if (text === ";" || (text === "+" && words[at - 1]?.text === "{}")) return at + 1;
  }
  return words.length;
}

function addUnknown(reading: Reading, word: Word, at: number): number {
  reading.unknown.push(word);
  return at + 1;
}

function splitAt(words: readonly Word[], at: number): { word: Word; name: string; attached?: string } {
  const word = words[at] ?? { text: "", literal: false };
  const equals = word.text.indexOf("=");
  if (equals < 0) return { word, name: word.text };
  return { word, name: word.text.slice(0, equals), attached: word.text.slice(equals + 1) };
}

function subcommandOf(usage: Usage, word: Word): Usage | undefined {
  if (usage.subcommands === undefined || !word.literal) return undefined;
  return subcommandTable(usage.subcommands).get(word.text);
}

const SUBCOMMANDS = new WeakMap<object, ReadonlyMap<string, Usage>>();

function subcommandTable(subcommands: NonNullable<Usage["subcommands"]>): ReadonlyMap<string, Usage> {
  const known = SUBCOMMANDS.get(subcommands);
  if (known !== undefined) return known;
  const entries = Object.entries(subcommands);
  const table = new Map(entries.flatMap(([names, usage]) => names.split(" ").map((name) => [name, usage])));
  SUBCOMMANDS.set(subcommands, table);
  return table;
}
