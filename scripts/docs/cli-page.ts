import { HELP_FLAG, type Command, type Flag } from "../../src/app/terminal/input/command.ts";
import { usageLines } from "../../src/app/cli/help.ts";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import { replaceRows, rowsOf, sectionsOf, type Page, type Section } from "./page.ts";

/** Flags of the program itself. */
const OWN_FLAGS = ["version", ...Object.keys(HELP_FLAG)];

/** A list of choices that another page has. */
const LISTED_ELSEWHERE: Readonly<Record<string, string>> = {
  "parse --dialect": "`auto` or a name from [dialects.md](dialects.md#all-dialects)",
};

/** Checks that each command has a section with exactly its summary, usage, flags and examples, and that the page names no other command or flag. */
export async function checkCliPage(page: Page): Promise<readonly string[]> {
  const { file } = page;
  const commands: readonly Command[] = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const byName = new Map(commands.map((command) => [command.name, command]));
  const sections = [...sectionsOf(page, 2), ...sectionsOf(page, 3)];
  const known = new Set([...commands.flatMap(({ flags }) => Object.keys(flags)), ...OWN_FLAGS]);
  return [
    ...commands.flatMap((command) => checkCommand(file, command, sections)),
    ...flagsIn(page.lines)
      .filter((flag) => !known.has(flag))
      .map((flag) => `${file}: no command has the flag --${flag}`),
    ...commandsIn(page.lines)
      .filter((name) => !byName.has(name))
      .map((name) => `${file}: there is no command "${name}"`),
  ];
}

function checkCommand(file: string, command: Command, sections: readonly Section[]): readonly string[] {
  const section = sections.find((one) => commandOf(one) === command.name);
  if (section === undefined) return [`${file}: the command "${command.name}" has no section`];
  const own = new Set([...Object.keys(command.flags), ...OWN_FLAGS]);
  const lines = new Set(section.lines);
  return [
    ...commandLines(command)
      .filter((line) => !lines.has(line))
      .map((line) => `${file}, ${command.name}: this line is missing: ${line}`),
    ...flagsIn(section.lines)
      .filter((flag) => !own.has(flag))
      .map((flag) => `${file}, ${command.name}: it has no flag --${flag}`),
  ];
}

/** Returns the lines of the page with the table of flags of each command. */
export async function writeCliPage(page: Page): Promise<readonly string[]> {
  let lines = page.lines;
  for (const load of Object.values(COMMANDS)) {
    const { name, flags } = await load();
    const sections = [...sectionsOf({ ...page, lines }, 2), ...sectionsOf({ ...page, lines }, 3)];
    const section = sections.find((one) => commandOf(one) === name);
    const start = lines.findIndex((line) => line.replace(/^#+ /, "") === section?.title);
    if (section === undefined || start < 0) continue;
    const end = start + 1 + section.lines.length;
    const isRow = (line: string): boolean => /^\| `--?[a-zA-Z]/.test(line) && rowsOf([line]).length > 0;
    const rows = Object.entries(flags).map(([flag, about]) => flagLine(name, flag, about));
    lines = [
      ...lines.slice(0, start + 1),
      ...replaceRows(lines.slice(start + 1, end), isRow, rows),
      ...lines.slice(end),
    ];
  }
  return lines;
}

/** Returns the lines that the section of a command must have. */
function commandLines(command: Command): readonly string[] {
  const { name, summary, flags, examples } = command;
  return [
    ...usageLines(command),
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...Object.entries(flags).map(([flag, about]) => flagLine(name, flag, about)),
    ...Object.entries(examples).map(([line, does]) => `toolwright ${line}    # ${does}`),
  ];
}

function flagLine(command: string, name: string, { short, value, choices, summary }: Flag): string {
  const left = `${short === undefined ? "" : `\`-${short}\`, `}\`--${name}${value === undefined ? "" : ` ${value}`}\``;
  const listed =
    LISTED_ELSEWHERE[`${command} --${name}`] ?? choices?.map((choice) => `\`${choice}\``).join(", ");
  return `| ${left} | ${summary}${listed === undefined ? "" : `: ${listed}`} |`;
}

/** Returns the command that a section is about: the first word of its heading that is not the program's name. */
function commandOf({ title }: Section): string {
  const words = title.replaceAll("`", "").split(/\s+/);
  return (words[0] === "toolwright" ? words[1] : words[0]) ?? "";
}

/** Returns the flags outside quotes: quoted text may belong to another program. An apostrophe opens no quote. */
function flagsIn(lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => line.replaceAll(/(?<![\p{L}\d])(?:'[^']*'|"[^"]*")/gu, "")).join("\n");
  return [...new Set([...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, flag = ""]) => flag))];
}

/** Returns the commands of ours that the page names: the word after the program's name, in code. */
function commandsIn(lines: readonly string[]): readonly string[] {
  const uses = lines.join("\n").matchAll(/(?:^|[`$|&;] ?)(?:node bin\/)?toolwright(?:\.js)? ([a-z]+)/gm);
  return [...new Set([...uses].map(([, name = ""]) => name))];
}
