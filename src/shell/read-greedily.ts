import type { SimpleCommand } from "../core/command.ts";
import { readCode } from "./greedy/read-code.ts";
import type { Findings, Scan } from "./greedy/scan.ts";
import { walkCode } from "./greedy/walk-code.ts";
import type { ShellParser } from "./syntax/shell-parser.ts";
import type { ShellPlace } from "./syntax/shell-place.ts";
import type { Script } from "./programs/unwrap.ts";

const MAX_LENGTH = 65_536;
const STEPS_PER_CHARACTER = 16;
const SPARE_STEPS = 4096;
const MAX_GUESSES = 20_000;

/** What was found in a text, and why it may be less than all. */
export interface GreedyReading {
  readonly commands: readonly SimpleCommand[];
  /** Text that the commands would have a shell run, other than by a wrapper. */
  readonly scripts: readonly Script[];
  /** Why nobody can tell what a shell would make of the text. What was found in it nevertheless is in `commands`. */
  readonly unreadable?: string;
  readonly doubt?: string;
}

/**
 * Finds every command in a text, wherever it hides: in substitutions, here-documents, loops, functions, expansions. What
 * it does not find may still be there; what it cannot make sense of it says so. Takes time that grows with the text and
 * is capped; never throws. Without a parser it still finds commands, and the text counts as unreadable.
 */
export function readGreedily(
  text: string,
  place: ShellPlace,
  parser: ShellParser | undefined,
): GreedyReading {
  if (text.length > MAX_LENGTH) return { commands: [], scripts: [], unreadable: "it is too long" };
  const findings: Findings = {
    depth: 0,
    budget: text.length * STEPS_PER_CHARACTER + SPARE_STEPS,
    joinedLines: 0,
    tokens: 0,
    values: new Map(),
    functions: new Set(),
    moves: false,
  };
  if (text.includes("\0")) findings.fault = "it has a zero character";
  const scan: Scan = { text, at: 0, hasJoins: text.includes("\\\n"), codes: [], findings, readCode };
  const code = readCode(scan, "", "text");
  const { home, cwd } = place;
  const known = {
    cwd,
    ...(home === undefined ? {} : { home }),
    values: findings.values,
    variant: 0,
    within: [],
    effort: { left: MAX_GUESSES },
  };
  const collected: Parameters<typeof walkCode>[3] = { commands: [], scripts: [], findings, known };
  walkCode(code, { cwds: [cwd], via: [] }, parser, collected);
  const { commands, scripts, doubt } = collected;
  return {
    commands,
    scripts,
    ...(findings.fault === undefined ? {} : { unreadable: findings.fault }),
    ...(doubt === undefined ? {} : { doubt }),
  };
}
