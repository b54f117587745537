import type { SimpleCommand } from "../../core/command.ts";
import { baseName, findProgram } from "./find-program.ts";
import { parseUse } from "./parse-use.ts";
import type { Program, Use } from "./tables/program.ts";

/** A command, and its words as the table of its program reads them. */
export interface KnownCommand {
  readonly command: SimpleCommand;
  /** The base name of its program, or the nearest guess; empty where there is none. */
  readonly name: string;
  /** Undefined where the tables have none by that name. */
  readonly program: Program | undefined;
  readonly use: Use;
}

const UNKNOWN: Program = { names: "" };

/** Reads a command's words by the table of its program; by an empty one where there is none. */
export function knowCommand(command: SimpleCommand): KnownCommand {
  const { words } = command;
  const name = baseName(words[0]?.text ?? "");
  const program = findProgram(name);
  return { command, name, program, use: parseUse(program ?? UNKNOWN, words) };
}
