import type { Code, HereDocument, LexedWord, Piece } from "./lexed.ts";

const MAX_DEPTH = 48;
const MAX_JOINED_LINES = 2000;

/** Where a reading of the text has got to. One for each text; what they find is shared. */
export interface Scan {
  text: string;
  at: number;
  /** Whether there may be a backslash before a line's end. */
  readonly hasJoins: boolean;
  /** Substitutions found since the word that is being read began. */
  codes: Code[];
  readonly findings: Findings;
  /** Reads commands up to what closes them; the readers of words need it for what is inside a substitution. */
  readonly readCode: (scan: Scan, closer: Closer, how: Code["how"]) => Code;
}

/** What ends a text of commands: its end, or one of these. */
export type Closer = "" | ")" | "}";

/** What is noticed on the way, over all nested texts. */
export interface Findings {
  /** Why nobody can tell what a shell would make of the text; the first reason. */
  fault?: string;
  depth: number;
  /** Characters that may still be looked at. */
  budget: number;
  joinedLines: number;
  tokens: number;
  /** What variables are given anywhere in the text. */
  readonly values: Map<string, LexedWord[]>;
  /** What the text gives commands of its own making as names. */
  readonly functions: Set<string>;
  /** A word somewhere in the text may change the folder of the shell. */
  moves: boolean;
}

export interface PendingDocument {
  readonly document: HereDocument;
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

/** Notes that the text cannot be read for sure. Reading goes on, so that what is dangerous in it is still found. */
export function fault(scan: Scan, reason: string): void {
  scan.findings.fault ??= reason;
}

/** Notes a fault after which reading on would take too long: the rest of this text counts as read. */
export function giveUp(scan: Scan, reason: string): void {
  fault(scan, reason);
  scan.at = scan.text.length;
  scan.findings.budget = 0;
}

/** Runs a reader one level deeper; beyond the cap, gives up and returns what stands for nothing. */
export function deeper<T>(scan: Scan, read: () => T, nothing: T): T {
  if (scan.findings.depth >= MAX_DEPTH) {
    giveUp(scan, "it is nested too deep");
    return nothing;
  }
  scan.findings.depth += 1;
  const value = read();
  scan.findings.depth -= 1;
  return value;
}

/** True while there is text left to look at, with no joined line before it; takes one step from the budget. */
export function hasMore(scan: Scan): boolean {
  joinLines(scan);
  if (scan.at >= scan.text.length) return false;
  scan.findings.budget -= 1;
  if (scan.findings.budget > 0) return true;
  giveUp(scan, "reading it would take too long");
  return false;
}

/** Characters that may be the first of an operator of two or three. */
const LEADING = "$<>&|;({!";

/**
 * Takes out a backslash before a line's end where a shell would, here and within the operator that begins here. Nothing
 * else may see the two characters, or `$\` + newline + `(id)` would hide a substitution.
 */
export function joinLines(scan: Scan): void {
  if (!scan.hasJoins) return;
  for (let ahead = 0; ahead < 3; ahead += 1) {
    while (scan.text.startsWith("\\\n", scan.at + ahead)) takeOut(scan, scan.at + ahead);
    if (!LEADING.includes(scan.text.charAt(scan.at + ahead))) return;
  }
}

function takeOut(scan: Scan, at: number): void {
  scan.findings.joinedLines += 1;
  scan.text = scan.text.slice(0, at) + scan.text.slice(at + 2);
  if (scan.findings.joinedLines > MAX_JOINED_LINES) giveUp(scan, "it joins too many lines");
}

/** Another text read on behalf of this one: the inside of backticks, the body of a here-document. */
export function innerScan(scan: Scan, text: string): Scan {
  const { codes, findings, readCode } = scan;
  return { text, at: 0, hasJoins: text.includes("\\\n"), codes, findings, readCode };
}

/** Remembers what a variable is given. Whether that happens before it is used cannot be told, so all values count. */
export function rememberValue(scan: Scan, name: string, pieces: readonly Piece[]): void {
  const value = { pieces, source: "", codes: [] };
  const known = scan.findings.values.get(name);
  if (known === undefined) scan.findings.values.set(name, [value]);
  else known.push(value);
}
