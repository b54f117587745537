import type { CommandReading, PathWord, SimpleCommand } from "../core/command.ts";
import type { CommandFact } from "../core/fact.ts";
import { createBudget, MAX_CHARACTERS, spend, TOO_COSTLY, type Budget } from "./syntax/budget.ts";
import type { CommandTraits } from "./syntax/command-knowledge.ts";
import { plainArgv } from "./syntax/plain-argv.ts";
import { describeParsed } from "./programs/describe-command.ts";
import { parseCommand, type ParsedCommand } from "./programs/parse-command.ts";
import { pathsInWrittenLists } from "./programs/written-lists.ts";
import { readGreedily } from "./read-greedily.ts";
import { readStrictly } from "./read-strictly.ts";
import type { Script, ShellPlace } from "./syntax/script.ts";
import { hasHiddenCode } from "./syntax/shell-arguments.ts";
import { unwrap } from "./programs/unwrap.ts";
import type { Changing } from "../util/json/changing.ts";

const MAX_SCRIPT_DEPTH = 8;
const MAX_SCRIPTS = 64;
const MAX_PATHS = 2000;

/**
 * Reads the text of a command and every script in it: strictly if that proves the text, or else greedily. It is proven only if
 * the strict reader proves the text and no wrapper leaves a doubt. `home` is the folder that `~` and `cd` without arguments
 * stand for. Never throws.
 */
export function readCommand({ text, cwd, interactive }: CommandFact, home?: string): CommandReading {
  if (text.length > MAX_CHARACTERS) return TOO_LONG;
  const reading: Found = {
    budget: createBudget(),
    home,
    cwd,
    commands: [],
    traits: [],
    doubts: [],
    faults: [],
    scripts: [],
    seen: new Set(),
    runsUnknown: false,
  };
  const proven = readText({ text: { text, literal: true }, cwds: [cwd], via: [] }, reading);
  for (let depth = 0; reading.scripts.length > 0; depth += 1) readScripts(reading, depth);
  if (interactive === true) reading.doubts.push("it is input for a running program");
  return toReading(reading, proven);
}

const TOO_LONG: CommandReading = {
  certainty: "unreadable",
  commands: [],
  paths: [],
  isReadOnly: false,
  doubt: `it is longer than ${MAX_CHARACTERS} characters`,
};

/** The results so far. */
interface Found {
  readonly budget: Budget;
  readonly home: string | undefined;
  readonly cwd: string;
  readonly commands: SimpleCommand[];
  /** One per command. */
  readonly traits: CommandTraits[];
  readonly doubts: string[];
  /** Why it cannot be read reliably. */
  readonly faults: string[];
  /** The scripts that are still to be read. */
  scripts: Script[];
  readonly seen: Set<string>;
  runsUnknown: boolean;
}

/** Returns the commands of the text if it is proven. */
function readText(script: Script, found: Found): readonly SimpleCommand[] | undefined {
  const place: ShellPlace = { cwd: script.cwds[0] ?? found.cwd, home: found.home };
  const strict = readStrictly(script.text.text, place);
  if ("commands" in strict) {
    const [doubtCount, traitCount] = [found.doubts.length, found.traits.length];
    for (const command of strict.commands) addCommand(placeIn(command, script), found);
    // Only the greedy reader reads the input of a shell, `echo ls | sh`, and code that arithmetic runs.
    const mayEvaluate =
      hasHiddenCode(script.text.text) &&
      !found.traits.slice(traitCount).every(({ isReadOnly }) => isReadOnly);
    if (found.doubts.length > doubtCount || mayEvaluate) {
      const { scripts } = readGreedily(script.text.text, place, found.budget);
      addScripts(scripts, found, script);
    }
    return strict.commands;
  }
  const { commands, scripts, unreadable, doubt } = readGreedily(script.text.text, place, found.budget);
  // If the text is only a guess, failing to read it is not significant.
  if (unreadable !== undefined) (script.text.literal ? found.faults : found.doubts).push(unreadable);
  found.doubts.push(doubt ?? strict.doubt);
  addScripts(scripts, found, script);
  for (const command of commands) addCommand(placeIn(command, script), found);
  return undefined;
}

/** Returns the command or script with the folders and origin of the script that contains it. */
function placeIn<T extends SimpleCommand | Script>(own: T, { cwds, via, input }: Script): T {
  const inner = input === undefined || own.input !== undefined ? own : { ...own, input };
  if (cwds.length === 1 && via.length === 0) return inner;
  const isAtStart = inner.cwds.length === 1 && inner.cwds[0] === cwds[0];
  const folders = isAtStart ? cwds : cwds.length === 1 ? inner.cwds : [];
  return { ...inner, cwds: folders, via: [...via, ...inner.via] };
}

function addCommand(command: SimpleCommand, found: Found): void {
  const parsed = parseCommand(command);
  const { commands, scripts, doubt, fault, runsUnknown } = unwrap(parsed, found.budget);
  found.runsUnknown ||= runsUnknown;
  if (doubt !== undefined) found.doubts.push(doubt);
  if (fault !== undefined) found.faults.push(fault);
  recordCommand(parsed, found);
  for (const started of commands) recordCommand(started, found);
  addScripts(scripts, found);
}

const STEPS_PER_COMMAND = 20;

function recordCommand(parsed: ParsedCommand, found: Found): void {
  if (!spend(found.budget, STEPS_PER_COMMAND + parsed.command.words.length)) {
    found.faults.push(TOO_COSTLY);
    return;
  }
  found.commands.push(parsed.command);
  found.traits.push(describeParsed(parsed));
}

/** Adds the scripts that were not added before; `outer` is the script that contains them. */
function addScripts(scripts: readonly Script[], found: Found, outer?: Script): void {
  for (const inner of scripts) {
    const script = outer === undefined ? inner : placeIn(inner, outer);
    const key = JSON.stringify(script);
    if (found.seen.has(key)) continue;
    found.seen.add(key);
    found.scripts.push(script);
  }
}

function readScripts(found: Found, depth: number): void {
  const scripts = found.scripts;
  found.scripts = [];
  if (depth >= MAX_SCRIPT_DEPTH || found.seen.size > MAX_SCRIPTS) {
    found.faults.push("its scripts are nested too deeply");
    return;
  }
  for (const script of scripts) {
    const by = script.via.at(-1) ?? "a command";
    found.doubts.push(`${by} runs a script${script.text.literal ? "" : " that is only known at run time"}`);
    readText(script, found);
  }
}

function toReading(found: Found, proven: readonly SimpleCommand[] | undefined): CommandReading {
  const { commands, traits } = found;
  const paths: PathWord[] = [];
  for (const one of traits) paths.push(...one.paths);
  paths.push(...pathsInWrittenLists(commands, traits));
  if (paths.length > MAX_PATHS) {
    found.faults.push(`it names more than ${MAX_PATHS} paths`);
    paths.length = MAX_PATHS;
  }
  const doubt = found.faults[0] ?? found.doubts[0];
  const isProven = doubt === undefined && proven !== undefined && !found.runsUnknown;
  const reading: Changing<CommandReading> = {
    certainty: isProven ? "proven" : found.faults.length > 0 ? "unreadable" : "read",
    commands,
    paths,
    isReadOnly: isProven && traits.every((one) => one.isReadOnly),
  };
  if (traits.every((one) => one.namesFrom === undefined)) reading.namesAllPaths = true;
  if (!isProven) {
    if (found.runsUnknown) reading.runsUnknown = true;
    reading.doubt = doubt ?? "it is not proven";
    return reading;
  }
  const argv = plainArgv(proven);
  if (argv !== undefined) reading.argv = argv;
  return reading;
}
