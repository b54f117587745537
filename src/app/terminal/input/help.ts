import { ToolError } from "../../../core/errors.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { Command, Commands, Flag } from "./command.ts";
import { HELP_FLAG } from "./command.ts";
import { alignRows } from "../print/align-rows.ts";
import { refuseArguments } from "./refuse-arguments.ts";

const OVERVIEW_END = `
toolwright COMMAND --help shows a command's flags and examples; toolwright --version the version.
Exit codes: 0 ok, 1 the tool failed, 2 bad usage or invalid input, 3 denied, 4 timed out, 130 interrupted.
`;

export const help: Command = {
  name: "help",
  summary: "list the commands, or show one in full",
  usage: "[COMMAND]",
  positionals: ["command"],
  flags: {},
  examples: [{ line: "help call", does: "everything about `call`" }],
  async run({ positionals: [name, ...rest] }, { output, commands }) {
    refuseArguments(rest);
    const command = name === undefined ? undefined : find(name, commands);
    await output.print(command === undefined ? overview(commands) : helpOf(command));
    return 0;
  },
};

/** Returns all commands, one line each. */
export function overview(commands: Commands): string {
  const rows = Object.values(commands).map(({ name, summary }) => [`  ${name}`, summary]);
  return `toolwright: every tool call gets exactly one answer.\n\nUsage: toolwright COMMAND …\n\n${alignRows(rows)}${OVERVIEW_END}`;
}

/** Returns the help of one command: usage, flags, examples. */
export function helpOf({ name, summary, usage, flags, examples }: Command): string {
  const rows = Object.entries({ ...flags, ...HELP_FLAG }).map(([flag, about]) => flagRow(flag, about));
  const lines = examples.map(({ line, does }) => `  toolwright ${line}\n      ${does}\n`);
  const heading = `toolwright ${name} ${usage}`.trimEnd();
  return `${heading}\n\n${capital(summary)}.\n\nFlags:\n${alignRows(rows)}\nExamples:\n${lines.join("")}`;
}

function flagRow(name: string, { short, value, choices, summary }: Flag): readonly string[] {
  const left = [
    short === undefined ? "" : `-${short}, `,
    `--${name}`,
    value === undefined ? "" : ` ${value}`,
  ];
  return [`  ${left.join("")}`, choices === undefined ? summary : `${summary}: ${choices.join(", ")}`];
}

function find(name: string, commands: Commands): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command;
  const names = Object.keys(commands);
  throw new ToolError("INVALID_INPUT", `unknown command "${name}"`, {
    hint: nearHint(name, names, `commands: ${names.join(", ")}`),
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
