import type { Effect, Flags, Program, Usage } from "./program.ts";

/**
 * Programs or subcommands by their names, each on one line: what its operands are, then its options in the notation of
 * `Flags`; those after a `~` are opaque, after a `>` they write, after a `!` they execute.
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

const MARKS: Readonly<Record<string, Effect>> = { "~": "opaque", ">": "writes", "!": "executes" };

export function usage(line: string, more: Usage = {}): Usage {
  const [operands, ...items] = line.split(" ");
  const flags: { [effect in Effect]?: string } = {};
  let effect: Effect = "safe";
  for (const item of items) {
    const mark = MARKS[item];
    if (mark === undefined) flags[effect] = `${flags[effect] ?? ""} ${item}`;
    effect = mark ?? effect;
  }
  return { operands: operands as NonNullable<Usage["operands"]>, flags: flags satisfies Flags, ...more };
}

/** The words after its own options are a command. */
export const RUNS_REST: Usage = { stopsAtOperand: true, starts: [{ kind: "rest" }], ungrantable: "wrapper" };
