import type { SimpleCommand, Word } from "../../core/command.ts";
import { spend, type Budget } from "../syntax/budget.ts";
import type { Script } from "../syntax/script.ts";
import { commandInAssignment, parseShellArguments, splitText } from "../syntax/shell-arguments.ts";
import { endOfCommand, parseCommand, parseUse, type ParsedCommand } from "./parse-command.ts";
import { withListedWords } from "./with-listed-words.ts";
import { workingFolders } from "./path-words.ts";
import { doubtOfStart, guessesOf, SHELL, startsShell, suffixesOf } from "./unnamed-starts.ts";
import { bareText, withFoundNames } from "./words-of-starts.ts";
import type { Start, Use, UsedFlag } from "./tables/program.ts";

/** The commands and scripts that a command starts, at every depth. */
export interface Unwrapped {
  readonly commands: readonly ParsedCommand[];
  readonly scripts: readonly Script[];
  /** Why the result may be incomplete or wrong; shown to the user. */
  readonly doubt: string | undefined;
  /** Why commands may be missing: a limit was reached. */
  readonly fault: string | undefined;
  /** Text that is only known at run time is run as commands or code. */
  readonly runsUnknown: boolean;
}

interface Found {
  readonly commands: ParsedCommand[];
  readonly scripts: Script[];
  doubt: string | undefined;
  fault: string | undefined;
  runsUnknown: boolean;
  readonly budget: Budget;
}

/**
 * Returns the commands that a command starts, without itself, and the texts it passes to a shell. If unsure, guesses and
 * sets `doubt`. Takes as many steps as the started commands have words.
 */
export function unwrap(parsed: ParsedCommand, budget: Budget): Unwrapped {
  const exploration: Found = {
    commands: [],
    scripts: [],
    doubt: undefined,
    fault: undefined,
    runsUnknown: false,
    budget,
  };
  explore(parsed, exploration, 0);
  const { commands, scripts, doubt, fault, runsUnknown } = exploration;
  return { commands, scripts, doubt, fault, runsUnknown };
}

/** A command that may start others. */
interface Starter {
  readonly command: SimpleCommand;
  readonly name: string;
  readonly use: Use;
  readonly cwds: readonly string[];
  readonly via: readonly string[];
  readonly found: Found;
  readonly depth: number;
}

const MAX_DEPTH = 32;

function explore(parsed: ParsedCommand, found: Found, depth: number): void {
  const { command } = parsed;
  const first = command.words[0];
  if (depth === 0) addAssigned(command.assignments, parsed, found);
  if (first === undefined) {
    if (command.assignments.length > 0) found.doubt ??= "it sets a variable that later commands may read";
    return;
  }
  if (!first.literal) found.doubt ??= `the program ${first.text} is unknown`;
  if (parsed.program === undefined) return;
  if (depth >= MAX_DEPTH || !spend(found.budget, command.words.length)) {
    found.fault ??= "programs are nested too deeply";
    return;
  }
  start(parsed, found, depth);
}

function start({ command, name, program, use }: ParsedCommand, found: Found, depth: number): void {
  const { starts } = use.usage;
  found.runsUnknown ||= program?.ungrantable === "interpreter" && use.flags.some(isUnknownCode);
  const isUnclear = use.isUncertain && program?.subcommands !== undefined && use.subcommands.length === 0;
  if (isUnclear) found.doubt ??= `the subcommand of ${name} is unknown`;
  const hasTexts = use.flags.some(
    ({ flag }) => flag.values.includes("text") || flag.values.includes("write"),
  );
  if (starts === undefined && !hasTexts) return;
  const starter: Starter = {
    command,
    name,
    use,
    cwds: workingFolders(command.cwds, use),
    via: [...command.via, name],
    found,
    depth,
  };
  if (hasTexts) addOptionTexts(starter);
  for (const one of starts ?? []) applyStart(one, starter);
}

/** Code in another language that is only known at run time: `python -c "$x"`. */
function isUnknownCode({ flag, values }: UsedFlag): boolean {
  return flag.effect === "executes" && values.some(({ literal }) => !literal);
}

function applyStart(one: Start, starter: Starter): void {
  const { use, found } = starter;
  if (one.kind === "rest" || one.kind === "joined") return applyRest(one, starter);
  if (one.kind === "shell") return applyShell(starter);
  if (one.kind === "until") return applyUntil(one.flags, starter);
  if (one.kind === "split") return applySplit(one.flag, starter);
  if (one.kind === "first") return addTexts(starter, use.operands.slice(0, use.operands.length > 1 ? 1 : 0));
  if (one.kind === "values") return addTexts(starter, use.operands.flatMap(valueOf));
  if (one.kind === "each") return addTexts(starter, use.operands);
  if (one.kind === "source") found.runsUnknown ||= use.operands.some(({ literal }) => !literal);
  else addAssigned(use.operands, starter, found);
  if (one.kind === "source" || use.operands.length + use.unknown.length > 0)
    found.doubt ??= `${starter.name} changes what later commands mean`;
}

function valueOf({ text, literal }: Word): readonly Word[] {
  const equals = text.indexOf("=");
  return equals < 0 ? [] : [{ text: text.slice(equals + 1), literal }];
}

type RestStart = Extract<Start, { readonly kind: "rest" | "joined" }>;

function isMet({ onlyWith, notWith }: RestStart, { flags }: Use): boolean {
  const uses = (name: string): boolean => flags.some(({ flag }) => flag.name === name);
  return (onlyWith === undefined || uses(onlyWith)) && notWith?.split(" ").some(uses) !== true;
}

/** Starts the words after the program's own arguments. */
function applyRest(one: RestStart, starter: Starter): void {
  const { command, use, found, name } = starter;
  if (!isMet(one, use)) return;
  found.doubt ??= doubtOfStart(name, use);
  const { rest, assignments } = restOf(one, starter);
  addAssigned(assignments, starter, found);
  const cwds = one.isRemote === true ? [] : starter.cwds;
  const started: Starter = { ...starter, cwds };
  if (startsShell(one, rest, command.input)) addShell(started, rest, assignments);
  if (one.shell === "always") return;
  if (one.kind === "joined") return addJoined(rest, started);
  for (const words of one.isAnywhere === true ? startsAnywhere(rest, found) : guessesOf(rest, use)) {
    const variants = one.hasUnknownWords === true ? withListedWords(words, starter) : [words];
    for (const all of variants) addCommand(started, all, assignments);
  }
}

function startsAnywhere(rest: readonly Word[], found: Found): readonly (readonly Word[])[] {
  const { suffixes, isCut } = suffixesOf(rest);
  if (isCut) found.fault ??= "a command may begin at more than 16 words";
  return suffixes;
}

/** Adds a shell that reads the input of its starter, or runs the words as its arguments. */
function addShell(starter: Starter, words: readonly Word[], assignments: readonly Word[]): void {
  addCommand(starter, [SHELL, ...words], assignments);
  const { input } = starter.command;
  if (words.length === 0 && input !== undefined) addTexts(starter, [input]);
}

interface Rest {
  readonly rest: readonly Word[];
  readonly assignments: readonly Word[];
}

function restOf(one: RestStart, starter: Starter): Rest {
  const { command, use, found, name } = starter;
  const isLogin = one.shell === "always" && command.words[use.restAt]?.text === "-";
  const skip = (one.skip ?? 0) + (isLogin ? 1 : 0);
  const own = command.words.slice(use.restAt, use.restAt + skip);
  if (own.some(({ literal }) => !literal))
    found.doubt ??= `the start of the command that ${name} runs is unknown`;
  let rest = command.words.slice(use.restAt + skip);
  // Some programs accept options after their operand: `ssh host -p 22 ls`, `flock file -c text`.
  if (skip > 0 && rest[0]?.text.startsWith("-") === true) {
    const again = parseUse({ ...use.usage, names: "" }, [{ text: name, literal: true }, ...rest]);
    addOptionTexts({ ...starter, use: again, cwds: command.cwds });
    rest = rest.slice(again.restAt - 1);
  }
  if (one.kind === "joined" || one.hasAssignments !== true) return { rest, assignments: [] };
  const end = rest.findIndex(({ text }) => text !== "-" && !/^[^=]+=/.test(text));
  const count = end < 0 ? rest.length : end;
  return { rest: rest.slice(count), assignments: rest.slice(0, count).filter(({ text }) => text !== "-") };
}

function applyShell(starter: Starter): void {
  const { texts, commands, files, doubt } = parseShellArguments(starter.name, starter.command.words);
  starter.found.runsUnknown ||= files.some(({ literal }) => !literal);
  if (doubt !== undefined) starter.found.doubt ??= doubt;
  addTexts(starter, texts);
  for (const words of commands) addCommand(starter, words, []);
}

/** Handles `-exec rm {} ;`: a word with `{}` is replaced by a file name. */
function applyUntil(flags: readonly string[], starter: Starter): void {
  const { command, use, found, name } = starter;
  if (use.isUncertain) found.doubt ??= `the command that ${name} starts is unknown`;
  for (const { flag, at } of use.flags) {
    if (!flags.includes(flag.name)) continue;
    const end = endOfCommand(command.words, at + 1);
    const words = command.words.slice(at + 1, end).filter(({ text }) => text !== ";" && text !== "+");
    if (words.length > 0) addCommand(starter, [...withFoundNames(words)], []);
  }
}

/** Handles `env -S "text"`: the text becomes words of the same command. */
function applySplit(name: string, starter: Starter): void {
  const { command, use, found, depth } = starter;
  const used = use.flags.find(({ flag }) => flag.name === name);
  const [value] = used?.values ?? [];
  if (used === undefined || value === undefined) return;
  const { words, isSure } = splitText(value);
  if (!isSure) found.doubt ??= `how ${starter.name} splits its argument is unknown`;
  const isApart = command.words[used.at + 1] === value;
  const after = command.words.slice(used.at + (isApart ? 2 : 1));
  const whole = { ...command, words: [...command.words.slice(0, 1), ...words, ...after] };
  explore(parseCommand(whole), found, depth + 1);
}

function addOptionTexts(starter: Starter): void {
  for (const { flag, values } of starter.use.flags) {
    for (const [index, word] of values.entries()) {
      const kind = flag.values[index];
      if (kind === "text") addTexts(starter, [word, ...bareText(word)]);
      // `strace -o '|command'`, or with a `!`.
      if (kind === "write" && /^[|!]/.test(word.text))
        addTexts(starter, [{ text: word.text.slice(1), literal: word.literal }]);
    }
  }
}

/** Adds commands in variables that programs run: `GIT_PAGER='less -R' git log`. */
function addAssigned(
  assignments: readonly Word[],
  { command, name }: Pick<ParsedCommand, "command" | "name">,
  found: Found,
): void {
  for (const assignment of assignments) {
    const text = commandInAssignment(assignment);
    if (text === undefined) continue;
    found.runsUnknown ||= !text.literal;
    const { cwds } = command;
    const via = [...command.via, name === "" ? "a variable" : name];
    // One plain word can only be a program, so it is certain.
    if (text.literal && /^[\w./:-]+$/.test(text.text))
      found.commands.push(parseCommand({ words: [text], assignments: [], redirects: [], cwds, via }));
    else found.scripts.push({ text, cwds, via });
  }
}

function addJoined(words: readonly Word[], starter: Starter): void {
  if (words.length === 0) {
    starter.found.doubt ??= `${starter.name} may read commands from its input`;
    return;
  }
  const text = words.map((word) => word.text).join(" ");
  addTexts(starter, [{ text, literal: words.every(({ literal }) => literal) }]);
}

function addTexts({ command, found, cwds, via }: Starter, texts: readonly Word[]): void {
  for (const text of texts) {
    found.runsUnknown ||= !text.literal;
    if (!text.literal) found.doubt ??= `${via.at(-1) ?? "it"} runs text that is only known at run time`;
    if (text.text !== "" && text.text !== "-")
      found.scripts.push({ text, cwds, via, ...(command.input !== undefined && { input: command.input }) });
  }
}

function addCommand(starter: Starter, words: readonly Word[], assignments: readonly Word[]): void {
  const { command, found, cwds, via, depth } = starter;
  const started = parseCommand({
    words,
    assignments: [...command.assignments, ...assignments],
    redirects: [],
    ...(command.input !== undefined && { input: command.input }),
    cwds,
    via,
  });
  found.commands.push(started);
  explore(started, found, depth + 1);
}
