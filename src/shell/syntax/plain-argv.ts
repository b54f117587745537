import type { SimpleCommand } from "../../core/command.ts";
import { isBuiltin, isReserved } from "./shell-builtins.ts";

/**
 * Returns the program and its arguments if the proven commands are one program that needs no shell: without assignments
 * and redirections, and not a builtin of any shell.
 */
export function plainArgv(commands: readonly SimpleCommand[]): readonly string[] | undefined {
  const command = commands[0];
  if (command === undefined || commands.length > 1 || !isBare(command)) return undefined;
  const argv = command.words.map(({ text }) => text);
  const [program = ""] = argv;
  return program === "" || isBuiltin(program) || isReserved(program) ? undefined : argv;
}

function isBare({ words, assignments, redirects, rewired, cwds, via }: SimpleCommand): boolean {
  return (
    words.every(({ literal }) => literal) &&
    assignments.length === 0 &&
    redirects.length === 0 &&
    rewired === undefined &&
    cwds.length === 1 &&
    via.length === 0
  );
}
