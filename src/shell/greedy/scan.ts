import { spend, TOO_COSTLY, type Budget } from "../syntax/budget.ts";
import type { Code, HereDocument, LexedWord, Piece } from "./lexed.ts";

const MAX_DEPTH = 48;
const MAX_JOINED_LINES = 2000;

/** The state of reading one text; nested texts share its findings. */
export interface Scan {
  text: string;
  at: number;
  /** The text may contain a backslash before a line break. */
  readonly hasJoins: boolean;
  /** The substitutions found in the current word. */
  codes: Code[];
  readonly findings: Findings;
  /** Reads commands up to their closer; passed in, because words contain substitutions. */
  readonly readCode: (scan: Scan, closer: Closer, how: Code["how"]) => Code;
}

/** What ends a text of commands: its end, or a closing character. */
export type Closer = "" | ")" | "}";

/** What is found in a text and all texts nested in it. */
export interface Findings {
  /** The first reason why the text cannot be read reliably. */
  fault?: string;
  depth: number;
  readonly budget: Budget;
  /** The rest of the text is not read. */
  isStopped: boolean;
  joinedLines: number;
  /** The values assigned to variables anywhere in the text. */
  readonly values: Map<string, LexedWord[]>;
  /** The names of functions that the text defines. */
  readonly functions: Set<string>;
  /** A word in the text may change the folder of the shell. */
  moves: boolean;
}

export interface PendingDocument {
  readonly document: HereDocument;
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

/** Records that the text cannot be read reliably. Reading continues, to find dangerous commands in it. */
export function fault(scan: Scan, reason: string): void {
  scan.findings.fault ??= reason;
}

/** Records a fault and skips the rest of the text, because reading on would take too long. */
export function giveUp(scan: Scan, reason: string): void {
  fault(scan, reason);
  scan.at = scan.text.length;
  scan.findings.isStopped = true;
}

/** Runs a reader one level deeper. Gives up and returns `nothing` at the depth limit. */
export function nested<T>(scan: Scan, read: () => T, nothing: T): T {
  if (scan.findings.depth >= MAX_DEPTH) {
    giveUp(scan, "it is nested too deeply");
    return nothing;
  }
  scan.findings.depth += 1;
  const value = read();
  scan.findings.depth -= 1;
  return value;
}

/** Returns true if text is left, after removing joined lines. Takes one step from the budget. */
export function hasMore(scan: Scan): boolean {
  joinLines(scan);
  if (scan.at >= scan.text.length || scan.findings.isStopped) return false;
  if (spend(scan.findings.budget, 1)) return true;
  giveUp(scan, TOO_COSTLY);
  return false;
}

/** Characters that may begin an operator of two or three characters. */
const LEADING = "$<>&|;({!";

/**
 * Removes escaped line breaks here and within the operator that begins here, as a shell does. Otherwise
 * `$\` + newline + `(id)` would hide a substitution.
 */
export function joinLines(scan: Scan): void {
  if (!scan.hasJoins) return;
  for (let ahead = 0; ahead < 3; ahead += 1) {
    while (scan.text.startsWith("\\\n", scan.at + ahead)) removeJoin(scan, scan.at + ahead);
    if (!LEADING.includes(scan.text.charAt(scan.at + ahead))) return;
  }
}

function removeJoin(scan: Scan, at: number): void {
  scan.findings.joinedLines += 1;
  scan.text = scan.text.slice(0, at) + scan.text.slice(at + 2);
  if (scan.findings.joinedLines > MAX_JOINED_LINES) giveUp(scan, "it joins too many lines");
}

/** Creates the scan of a nested text: the inside of backticks or the body of a here-document. */
export function innerScan(scan: Scan, text: string): Scan {
  const { codes, findings, readCode } = scan;
  return { text, at: 0, hasJoins: text.includes("\\\n"), codes, findings, readCode };
}

/** Records a value of a variable. All values count, because the order of execution is unknown. */
export function recordValue(scan: Scan, name: string, pieces: readonly Piece[]): void {
  const value = { pieces, source: "", codes: [] };
  const known = scan.findings.values.get(name);
  if (known === undefined) scan.findings.values.set(name, [value]);
  else known.push(value);
}
