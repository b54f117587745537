import { isObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import type { Engine } from "../../engine/engine.ts";
import { assemble } from "../assemble.ts";
import { loadConfig } from "../config.ts";
import type { Command, Flag } from "./command.ts";
import { HELP_FLAG } from "./command.ts";
import { COMMAND_NAMES, loadCommand } from "./commands.ts";
import { SHELLS } from "./completion.ts";

/** The candidates for the last word, given those before it. Never fails: where nothing can be said there are none. */
export async function completeWords(words: readonly string[]): Promise<readonly string[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const [name, ...given] = before;
  if (name === undefined) return starting([...COMMAND_NAMES, "--help", "--version"], current);
  const command = await loadCommand(name);
  if (command === undefined) return [];
  const flags: Readonly<Record<string, Flag>> = { ...command.flags, ...HELP_FLAG };
  const last = flagOf(given.at(-1), flags);
  if (last?.value !== undefined) return starting(last.choices ?? [], current);
  if (current.startsWith("-")) return starting(Object.keys(flags).map((flag) => `--${flag}`), current);
  return starting(positional(command, positionalsOf(given, flags)), current);
}

function starting(candidates: readonly string[], start: string): readonly string[] {
  return candidates.filter((candidate) => candidate.startsWith(start));
}

function flagOf(word: string | undefined, flags: Readonly<Record<string, Flag>>): Flag | undefined {
  return word?.startsWith("--") === true ? flags[word.slice(2)] : undefined;
}

function positionalsOf(given: readonly string[], flags: Readonly<Record<string, Flag>>): readonly string[] {
  return given.filter(
    (word, index) => !word.startsWith("-") && flagOf(given[index - 1], flags)?.value === undefined,
  );
}

function positional({ positionals }: Command, given: readonly string[]): readonly string[] {
  const kind = positionals[Math.min(given.length, positionals.length - 1)];
  if (kind === "command") return COMMAND_NAMES;
  if (kind === "shell") return SHELLS;
  if (kind === "tool" && given.length === 0) return openEngine()?.list().map((spec) => spec.name) ?? [];
  return kind === "parameter" ? parametersOf(openEngine()?.get(given[0] ?? ""), given) : [];
}

function parametersOf(tool: Tool | undefined, given: readonly string[]): readonly string[] {
  const properties = tool?.input["properties"];
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => `${name}=`).filter((word) => !given.some((other) => other.startsWith(word)));
}

/** Completion has no place to complain about a broken config. */
function openEngine(): Engine | undefined {
  try {
    return assemble(loadConfig()).engine;
  } catch {
    return undefined;
  }
}
