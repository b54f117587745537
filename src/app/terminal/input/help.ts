import { unknownName } from "../../../util/text/near-hint.ts";
import { HELP_FLAG, type Command, type Commands, type Flag } from "./command.ts";
import { alignRows } from "../print/align-rows.ts";
import { refuseArguments } from "./check-arguments.ts";

const MAX_COLUMNS = 100;

const OVERVIEW_END = `
Run "toolwright COMMAND --help" for the flags and examples of a command.
Run "toolwright --version" for the version.

Exit codes: 0 success, 1 tool failed, 2 bad usage or invalid input, 3 denied, 4 timed out, 130 interrupted
`;

export const help: Command = {
  name: "help",
  summary: "list the commands, or show help for one",
  usage: "[COMMAND]",
  positionals: ["command"],
  flags: {},
  examples: [{ line: "help call", does: "help for `call`" }],
  async run({ positionals: [name, ...rest] }, { output, commands }) {
    refuseArguments(rest);
    await output.print(name === undefined ? await overview(commands) : helpOf(await find(name, commands)));
    return 0;
  },
};

/** Lists all commands, one line each. */
export async function overview(commands: Commands): Promise<string> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  const rows = loaded.map(({ name, summary }) => [`  ${name}`, summary]);
  return `Run tools for AI agents: every call gets exactly one answer.\n\nUsage: toolwright COMMAND [ARGUMENTS]\n\nCommands:\n${alignRows(rows)}${OVERVIEW_END}`;
}

/** Describes one command: usage, flags and examples. */
export function helpOf(command: Command): string {
  const { summary, flags, examples } = command;
  const rows = Object.entries({ ...flags, ...HELP_FLAG }).map(([flag, about]) => flagRow(flag, about));
  const lines = examples.map(({ line, does }) => `  toolwright ${line}\n      ${does}\n`);
  const usage = usageLines(command).join("\n       ");
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.\n\nUsage: ${usage}\n\nFlags:\n${alignRows(wrapRows(rows))}\nExamples:\n${lines.join("")}`;
}

/** Returns the forms of a command line, one for each line of its usage. */
export function usageLines({ name, usage }: Pick<Command, "name" | "usage">): readonly string[] {
  return usage.split("\n").map((form) => `toolwright ${name} ${form}`.trimEnd());
}

function flagRow(name: string, { short, value, choices, summary }: Flag): readonly [string, string] {
  const left = [
    short === undefined ? "" : `-${short}, `,
    `--${name}`,
    value === undefined ? "" : ` ${value}`,
  ];
  return [`  ${left.join("")}`, choices === undefined ? summary : `${summary}: ${choices.join(", ")}`];
}

/** Wraps the second column, so that no line is longer than a terminal usually is wide. */
function wrapRows(rows: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const width = MAX_COLUMNS - Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrap(right, width).map((line, index) => [index === 0 ? left : "", line]),
  );
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

async function find(name: string, commands: Commands): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return load();
  const names = Object.keys(commands);
  throw unknownName(`unknown command "${name}"`, name, names, `commands: ${names.join(", ")}`);
}
