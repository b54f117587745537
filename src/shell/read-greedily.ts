import type { SimpleCommand } from "../core/command.ts";
import { readCode } from "./greedy/read-code.ts";
import { TOO_COSTLY, type Budget } from "./syntax/budget.ts";
import type { Findings, Scan } from "./greedy/scan.ts";
import { walkCode } from "./greedy/walk-code.ts";
import type { Script, ShellPlace } from "./syntax/script.ts";

/** The commands found in a text, and why they may be incomplete. */
export interface GreedyReading {
  readonly commands: readonly SimpleCommand[];
  /** Texts that a shell runs without a wrapper. */
  readonly scripts: readonly Script[];
  /** Why the text cannot be read reliably; `commands` has what was found nevertheless. */
  readonly unreadable?: string;
  readonly doubt?: string;
}

/**
 * Finds every command in a text, including those in substitutions, here-documents, loops, functions and expansions. The
 * result may be incomplete; `unreadable` and `doubt` say why. Takes steps from the budget and never throws.
 */
export function readGreedily(text: string, place: ShellPlace, budget: Budget): GreedyReading {
  const findings: Findings = {
    depth: 0,
    budget,
    isStopped: false,
    joinedLines: 0,
    values: new Map(),
    functions: new Set(),
    moves: false,
  };
  if (text.includes("\0")) findings.fault = "it contains a NUL character";
  const scan: Scan = { text, at: 0, hasJoins: text.includes("\\\n"), codes: [], findings, readCode };
  const code = readCode(scan, "", "text");
  if (budget.left < 0) return { commands: [], scripts: [], unreadable: TOO_COSTLY };
  const { home, cwd } = place;
  const known = {
    cwd,
    ...(home === undefined ? {} : { home }),
    values: findings.values,
    variant: 0,
    within: [],
    budget,
  };
  const collected: Parameters<typeof walkCode>[2] = { commands: [], scripts: [], findings, known };
  walkCode(code, { cwds: [cwd], via: [] }, collected);
  const { commands, scripts, doubt } = collected;
  return {
    commands,
    scripts,
    ...(findings.fault === undefined ? {} : { unreadable: findings.fault }),
    ...(doubt === undefined ? {} : { doubt }),
  };
}
