import type { Command } from "../../src/app/terminal/input/command.ts";
import { HELP_FLAG } from "../../src/app/terminal/input/command.ts";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import type { Page, Section } from "./page.ts";
import { sectionsOf } from "./page.ts";

/** Flags of the program itself. */
const OWN_FLAGS = ["version", ...Object.keys(HELP_FLAG)];

/** Each command has a section; a section names no flag that its command lacks; every flag is named there or among the common ones. */
export async function checkCliPage(page: Page): Promise<readonly string[]> {
  const { file } = page;
  const commands = Object.values(COMMANDS);
  const byName = new Map(commands.map((command) => [command.name, command]));
  const sections = [...sectionsOf(page, 2), ...sectionsOf(page, 3)];
  const known = new Set([...commands.flatMap(({ flags }) => Object.keys(flags)), ...OWN_FLAGS]);
  const common = new Set(
    sections.filter((section) => !byName.has(commandOf(section))).flatMap(({ lines }) => flagsIn(lines)),
  );
  return [
    ...commands.flatMap((command) => checkCommand(file, command, sections, common)),
    ...flagsIn(page.lines)
      .filter((flag) => !known.has(flag))
      .map((flag) => `${file}: no command has the flag --${flag}`),
    ...commandsIn(page.lines)
      .filter((name) => !byName.has(name))
      .map((name) => `${file}: there is no command "${name}"`),
  ];
}

function checkCommand(
  file: string,
  command: Command,
  sections: readonly Section[],
  common: ReadonlySet<string>,
): readonly string[] {
  const section = sections.find((one) => commandOf(one) === command.name);
  if (section === undefined) return [`${file}: the command "${command.name}" has no section`];
  const own = new Set([...Object.keys(command.flags), ...OWN_FLAGS]);
  const named = flagsIn(section.lines);
  return [
    ...[...own]
      .filter((flag) => !named.includes(flag) && !common.has(flag) && !OWN_FLAGS.includes(flag))
      .map((flag) => `${file}, ${command.name}: the flag --${flag} is missing`),
    ...named
      .filter((flag) => !own.has(flag))
      .map((flag) => `${file}, ${command.name}: it has no flag --${flag}`),
  ];
}

/** The command that a section is about: the first word of its heading that is not the program's name. */
function commandOf({ title }: Section): string {
  const words = title.replaceAll("`", "").split(/\s+/);
  return (words[0] === "toolwright" ? words[1] : words[0]) ?? "";
}

/** Flags outside quotes: what stands in quotes may belong to another program. An apostrophe opens no quote. */
function flagsIn(lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => line.replaceAll(/(?<![\p{L}\d])(?:'[^']*'|"[^"]*")/gu, "")).join("\n");
  return [...new Set([...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, flag = ""]) => flag))];
}

/** What is written as a command of ours: the word after the program's name, in code. */
function commandsIn(lines: readonly string[]): readonly string[] {
  const found = lines.join("\n").matchAll(/(?:^|[`$|&;] ?)(?:node bin\/)?toolwright(?:\.js)? ([a-z]+)/gm);
  return [...new Set([...found].map(([, name = ""]) => name))];
}
