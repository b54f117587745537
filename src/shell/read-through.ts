import type { CommandReading, PathWord, SimpleCommand } from "../core/command.ts";
import type { CommandFact } from "../core/fact.ts";
import { plainArgv } from "./syntax/plain-argv.ts";
import type { CommandTraits } from "./programs/judge-command.ts";
import { describeKnown } from "./programs/judge-command.ts";
import type { KnownCommand } from "./programs/known-command.ts";
import { knowCommand } from "./programs/known-command.ts";
import { readGreedily } from "./read-greedily.ts";
import { readStrictly } from "./read-strictly.ts";
import type { ShellParser } from "./syntax/shell-parser.ts";
import type { ShellPlace } from "./syntax/shell-place.ts";
import type { Script } from "./programs/unwrap.ts";
import { unwrap } from "./programs/unwrap.ts";

const MAX_SCRIPT_DEPTH = 8;
const MAX_SCRIPTS = 64;
const MAX_COMMANDS = 4000;

/** What a reading may rest on. */
export interface ReadingMeans {
  readonly home?: string;
  readonly parser?: ShellParser;
}

/** A reading, and whether the greedy reader was needed for it. */
export interface ThroughReading {
  readonly reading: CommandReading;
  readonly wasGreedy: boolean;
}

/**
 * Reads a command's text and every script in it, to the last wrapper. It is proven only where the strict reader proves
 * the text and no wrapper leaves a doubt; whatever runs a script is read at most. Never throws.
 */
export function readThrough({ text, cwd, kept }: CommandFact, means: ReadingMeans): ThroughReading {
  const found: Found = {
    means,
    cwd,
    commands: [],
    traits: [],
    doubts: [],
    faults: [],
    scripts: [],
    seen: new Set(),
    wasGreedy: false,
  };
  const proven = readText({ text: { text, literal: true }, cwds: [cwd], via: [] }, found);
  for (let depth = 0; found.scripts.length > 0; depth += 1) readScripts(found, depth);
  if (kept === true) found.doubts.push("it is typed into a program that runs already");
  return { reading: toReading(found, proven), wasGreedy: found.wasGreedy };
}

/** What was found so far. */
interface Found {
  readonly means: ReadingMeans;
  readonly cwd: string;
  readonly commands: SimpleCommand[];
  /** One for each command. */
  readonly traits: CommandTraits[];
  readonly doubts: string[];
  /** Why nobody can tell what it does. */
  readonly faults: string[];
  /** Those that are still to be read. */
  scripts: Script[];
  readonly seen: Set<string>;
  wasGreedy: boolean;
}

/** Returns the commands of a text that was proven; undefined for any other. */
function readText(script: Script, found: Found): readonly SimpleCommand[] | undefined {
  const { home, parser } = found.means;
  const place = { cwd: script.cwds[0] ?? found.cwd, ...(home === undefined ? {} : { home }) };
  const strict = readStrictly(script.text.text, place);
  if ("commands" in strict) {
    const doubtCount = found.doubts.length;
    for (const command of strict.commands) addCommand(placed(command, script), found);
    // What a shell is fed is read only by the other reader: `echo ls | sh`.
    if (found.doubts.length > doubtCount) addGreedyScripts(script, place, found);
    return strict.commands;
  }
  found.wasGreedy = true;
  const { commands, scripts, unreadable, doubt } = readGreedily(script.text.text, place, parser);
  // Where the text is only guessed, that the guess makes no sense says little.
  if (unreadable !== undefined) (script.text.literal ? found.faults : found.doubts).push(unreadable);
  found.doubts.push(doubt ?? strict.doubt);
  addScripts(
    scripts.map((inner) => placed(inner, script)),
    found,
  );
  for (const command of commands) addCommand(placed(command, script), found);
  return undefined;
}

function addGreedyScripts(script: Script, place: ShellPlace, found: Found): void {
  found.wasGreedy = true;
  const { scripts } = readGreedily(script.text.text, place, found.means.parser);
  addScripts(
    scripts.map((inner) => placed(inner, script)),
    found,
  );
}

/** The same, in the folders and by the way of the script that it is in. */
function placed<T extends Pick<SimpleCommand, "cwds" | "via">>(inner: T, { cwds, via }: Script): T {
  if (cwds.length === 1 && via.length === 0) return inner;
  const isAtStart = inner.cwds.length === 1 && inner.cwds[0] === cwds[0];
  const folders = isAtStart ? cwds : cwds.length === 1 ? inner.cwds : [];
  return { ...inner, cwds: folders, via: [...via, ...inner.via] };
}

function addCommand(command: SimpleCommand, found: Found): void {
  const known = knowCommand(command);
  const { commands, scripts, doubt } = unwrap(known);
  if (doubt !== undefined) found.doubts.push(doubt);
  noteCommand(known, found);
  for (const started of commands) noteCommand(started, found);
  if (found.commands.length > MAX_COMMANDS) found.faults.push("it has too many commands");
  addScripts(scripts, found);
}

function noteCommand(known: KnownCommand, found: Found): void {
  found.commands.push(known.command);
  found.traits.push(describeKnown(known));
}

function addScripts(scripts: readonly Script[], found: Found): void {
  for (const script of scripts) {
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
    found.faults.push("it has too many scripts in scripts");
    return;
  }
  for (const script of scripts) {
    const by = script.via.at(-1) ?? "a command";
    found.doubts.push(`${by} runs a script${script.text.literal ? "" : " that is made only when it runs"}`);
    readText(script, found);
  }
}

function toReading(found: Found, proven: readonly SimpleCommand[] | undefined): CommandReading {
  const { commands, traits } = found;
  const paths: PathWord[] = [];
  for (const one of traits) paths.push(...one.paths);
  const doubt = found.faults[0] ?? found.doubts[0];
  if (doubt !== undefined || proven === undefined) {
    const certainty = found.faults.length > 0 ? "unreadable" : "read";
    return { certainty, commands, paths, isReadOnly: false, doubt: doubt ?? "it is not proven" };
  }
  const argv = plainArgv(proven);
  const isReadOnly = traits.every((one) => one.isReadOnly);
  const reading = { certainty: "proven", commands, paths, isReadOnly } as const;
  return argv === undefined ? reading : { ...reading, argv };
}
