import { isObject } from "../../../core/json.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { HELP_FLAG, SHELLS, type Command, type Flag, type World } from "../../terminal/input/command.ts";
import { loadConfig } from "../../config/config.ts";
import { openHost } from "../../host/open-host.ts";

/** Returns the completions of the last argument. Never rejects: returns none if it cannot complete. */
export async function completeArguments(
  args: readonly string[],
  { commands, environment }: Pick<World, "commands" | "environment">,
): Promise<readonly string[]> {
  const before = args.slice(0, -1);
  const current = args.at(-1) ?? "";
  const [name, ...given] = before;
  if (name === undefined) return starting([...Object.keys(commands), "--help", "--version"], current);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) return [];
  const command = await load();
  const flags: Readonly<Record<string, Flag>> = { ...command.flags, ...HELP_FLAG };
  const last = flagOf(given.at(-1), flags);
  if (last?.value !== undefined) return starting(last.choices ?? [], current);
  if (current.startsWith("-"))
    return starting(
      Object.keys(flags).map((flag) => `--${flag}`),
      current,
    );
  const others = positionalsOf(given, flags);
  if (command.positionals[others.length] === "command") return starting(Object.keys(commands), current);
  return starting(await positional(command, others, environment), current);
}

function starting(candidates: readonly string[], start: string): readonly string[] {
  return candidates.filter((candidate) => candidate.startsWith(start));
}

function flagOf(arg: string | undefined, flags: Readonly<Record<string, Flag>>): Flag | undefined {
  return arg?.startsWith("--") === true ? flags[arg.slice(2)] : undefined;
}

function positionalsOf(given: readonly string[], flags: Readonly<Record<string, Flag>>): readonly string[] {
  return given.filter(
    (arg, index) => !arg.startsWith("-") && flagOf(given[index - 1], flags)?.value === undefined,
  );
}

async function positional(
  { positionals, actions = [] }: Command,
  given: readonly string[],
  environment: World["environment"],
): Promise<readonly string[]> {
  const kind = positionals[Math.min(given.length, positionals.length - 1)];
  if (kind === "shell") return SHELLS;
  if (kind === "action") return actions;
  if (kind !== "tool" && kind !== "parameter") return [];
  return withTools(environment, (engine) => {
    if (kind === "parameter") return parametersOf(engine.get(given[0] ?? ""), given);
    return given.length === 0 ? [...actions, ...engine.list().map((spec) => spec.name)] : [];
  });
}

function parametersOf(tool: Tool | undefined, given: readonly string[]): readonly string[] {
  const properties = tool?.input["properties"];
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => `${name}=`).filter((start) => !given.some((other) => other.startsWith(start)));
}

/** Returns no candidates if the config is broken: completion has no place to print an error. */
async function withTools(
  environment: World["environment"],
  choose: (engine: Engine) => readonly string[],
): Promise<readonly string[]> {
  try {
    const look = await openHost({
      flags: {},
      config: loadConfig({}, environment()),
      need: "look",
      startsMcpLate: true,
      warn: () => undefined,
    });
    await look.engine.sources.settled();
    const candidates = choose(look.engine);
    await look.close();
    return candidates;
  } catch {
    return [];
  }
}
