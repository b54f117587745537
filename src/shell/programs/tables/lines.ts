import type { Program, Usage } from "./program.ts";

/**
 * Programs or subcommands by their names: what the operands are, then the options in the notation of `Flags`. A long text has
 * several lines, and the options of each effect begin a new one.
 */
export type Lines = Readonly<Record<string, string>>;

/** Returns a program for each line; all of them have the further properties. */
export function programs(lines: Lines, more: Usage = {}): readonly Program[] {
  return Object.entries(lines).map(([names, line]) => program(names, line, more));
}

export function program(names: string, line: string, more: Omit<Program, "names"> = {}): Program {
  return { names, ...usage(line), ...more };
}

/** Returns the subcommands of a program. */
export function usages(lines: Lines, more: Usage = {}): Readonly<Record<string, Usage>> {
  return Object.fromEntries(Object.entries(lines).map(([names, line]) => [names, usage(line, more)]));
}

export function usage(line: string, more: Usage = {}): Usage {
  // Its options are parsed when the program is first used: a command uses few of these lines.
  const end = line.search(/\s|$/);
  return { operands: line.slice(0, end) as NonNullable<Usage["operands"]>, flags: line.slice(end), ...more };
}

/** The words after its own options are a command. */
export const RUNS_REST: Usage = { stopsAtOperand: true, starts: [{ kind: "rest" }], ungrantable: "wrapper" };
