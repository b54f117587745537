import { unknownName } from "../../util/text/near-hint.ts";
import { refuseArguments } from "../terminal/input/check-arguments.ts";
import { HELP_FLAG, type Command, type Commands, type Flag } from "../terminal/input/command.ts";
import { SUMMARIES } from "./summaries.ts";
import { alignRows } from "../terminal/print/align-rows.ts";
import { wrap, wrapLast } from "../terminal/print/wrap.ts";

/** The width of help where no terminal reports one, and the widest that is easy to read. */
const COLUMNS = 80;
const MAX_COLUMNS = 100;

/** The commands by what they are for, in the order in which help lists them. Others are listed last. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Work with an agent": ["chat", "run", "sessions", "replay"],
  "Call tools": ["tools", "tool", "call", "batch", "explain", "trace"],
  "Decide what may run": ["policy", "approve", "trust"],
  "Undo changes": ["restore", "trash"],
  "Care for what is stored": ["store"],
  "MCP servers and clients": ["mcp"],
  "Set up": ["init", "login", "config", "doctor", "completion", "schema"],
};

const HEAD = `Run tools for AI agents: every call gets exactly one answer.

Usage: toolwright                        chat with an agent (on a terminal)
       toolwright "TASK"                 run one task and print its answer
       toolwright COMMAND [ARGUMENTS]
`;

const OVERVIEW_END = `
Run "toolwright COMMAND --help" for the flags and examples of a command.
Run "toolwright --version" for the version.

Exit codes: 0 success, 1 tool failed, 2 bad usage or invalid input, 3 denied,
4 timed out, 130 interrupted
`;

export const help: Command = {
  name: "help",
  summary: "list the commands, or show help for one",
  usage: "[COMMAND]",
  positionals: ["command"],
  flags: {},
  examples: { "help call": "help for `call`" },
  async run({ positionals: [name, ...rest] }, { output, commands, columns }) {
    refuseArguments(rest);
    await output.print(name === undefined ? overview(columns) : helpOf(await find(name, commands), columns));
  },
};

/** Lists all commands by group, wrapped to the width of the terminal. */
export function overview(columns?: number): string {
  const all = Object.keys(SUMMARIES);
  const grouped = new Set(Object.values(GROUPS).flat());
  const groups = { ...GROUPS, Other: all.filter((name) => !grouped.has(name)) };
  const width = Math.max(...all.map((name) => name.length)) + 2;
  const parts = Object.entries(groups).map(([title, names]) => {
    const rows = names.map((name) => [`  ${name}`.padEnd(width), SUMMARIES[name] ?? ""] as const);
    return `\n${title}:\n${alignRows(wrapLast(rows, widthOf(columns)))}`;
  });
  return `${HEAD}${parts.join("")}${OVERVIEW_END}`;
}

/** Describes one command: usage, flags and examples. */
export function helpOf(command: Command, columns?: number): string {
  const { summary, notes = "", flags, examples } = command;
  const rows = Object.entries({ ...flags, ...HELP_FLAG }).map(([flag, about]) => flagRow(flag, about));
  const lines = Object.entries(examples).map(([line, does]) => `  toolwright ${line}\n      ${does}\n`);
  const usage = usageLines(command)
    .flatMap((line) =>
      wrap(line, widthOf(columns) - 7).map((part, index) => (index === 0 ? part : `    ${part}`)),
    )
    .join("\n       ");
  const title = wrap(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, widthOf(columns)).join("\n");
  const more = notes === "" ? "" : `\n${wrap(notes, widthOf(columns)).join("\n")}\n`;
  return `${title}\n\nUsage: ${usage}\n${more}\nFlags:\n${alignRows(wrapLast(rows, widthOf(columns)))}\nExamples:\n${lines.join("")}`;
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

function widthOf(columns = COLUMNS): number {
  return Math.min(columns, MAX_COLUMNS);
}

async function find(name: string, commands: Commands): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return load();
  const names = Object.keys(commands);
  throw unknownName(`unknown command "${name}"`, name, names, `commands: ${names.join(", ")}`);
}
