import type { SimpleCommand } from "../../core/command.ts";
import { isBuiltin, isReserved } from "./shell-builtins.ts";

/**
 * The program and its arguments, where the commands that were proven are one program that needs no shell: nothing is
 * assigned or redirected, and no shell has a command of its own by that name.
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
