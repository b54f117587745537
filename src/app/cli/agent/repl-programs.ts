import {
  fromCommand,
  splitWords,
  type Choice,
  type SlashCommand,
} from "../../terminal/commands/slash-command.ts";
import { parseArguments } from "../../terminal/input/parse-arguments.ts";
import type { Arguments, Command, Shown, World } from "../../terminal/input/command.ts";

const NEXT_START = "used from the next start; /model, /mode, /level, /theme and /vim change these at once";

/** Returns commands of the command line that the REPL has too, with the flags of the REPL. Each is loaded when it runs. */
export function programsOf(world: World, flags: Arguments["flags"]): readonly SlashCommand[] {
  return [
    {
      name: "config",
      summary: "list the settings and where they come from, or set one",
      usage: "[get KEY | set KEY VALUE | unset KEY]",
      complete: () => ["list", ...["get", "set", "unset"].map(toContinued)],
      async run(args, shown) {
        await run("config", args, shown, { world, flags });
        if (/^(?:un)?set\b/.test(args)) await shown.print(`${NEXT_START}\n`);
      },
    },
    {
      name: "doctor",
      summary: "check the installation",
      usage: "[--offline]",
      complete: () => ["--offline"],
      run: (args, shown) => run("doctor", args, shown, { world, flags }),
    },
    {
      name: "login",
      summary: "store the key of a model provider, list the stored keys, or remove one",
      usage: "[PROVIDER [--remove]]",
      isOutside: true,
      async run(args) {
        const login = await load("login", world);
        await login.run(parseArguments(login, splitWords(args)), world);
      },
    },
  ];
}

function toContinued(value: string): Choice {
  return { value, description: "", continues: true };
}

interface ReplWorld {
  readonly world: World;
  /** Those of the REPL, which hold unless the person types others. */
  readonly flags: Arguments["flags"];
}

/** Runs a command of the command line with its output in the REPL. */
async function run(
  name: string,
  args: string,
  shown: Parameters<SlashCommand["run"]>[1],
  { world, flags }: ReplWorld,
): Promise<void> {
  const command = await load(name, world);
  const slash = fromCommand(command, (given, to) =>
    command.run({ ...given, flags: { ...flags, ...given.flags } }, within(world, to)),
  );
  await slash.run(args, shown);
}

/** Returns the world of a command whose output goes elsewhere, and that can ask nothing. */
function within(world: World, { output: { print, log }, columns }: Shown): World {
  const warn = (text: string): void => log(`warning: ${text}`);
  const output = { ...world.output, print, log, warn, status: () => undefined };
  return { ...world, columns, output, isInteractive: false };
}

async function load(name: string, { commands }: World): Promise<Command> {
  const open = commands[name];
  if (open === undefined) throw new TypeError(`there is no command ${name}`);
  return open();
}
