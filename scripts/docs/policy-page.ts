import { PROTECTED_READS } from "../../src/policy/protect/protected-files.ts";
import { compareLines, replaceRows, rowsOf, type Page } from "./page.ts";

/** The rows of the table of protected files, besides the one about folders of Toolwright itself, which depend on the config. */
function protectedRows(): readonly string[] {
  return PROTECTED_READS.map(
    ({ what, paths, except }) => `| ${what} | ${inCode(paths)} | ${inCode(except)} |`,
  );
}

function inCode(paths: readonly string[]): string {
  return paths.length === 0 ? "–" : paths.map((path) => `\`${path}\``).join(" ");
}

const NAMES = new Set(PROTECTED_READS.map(({ what }) => what));
const OWN = "| Toolwright's own tokens and settings |";
const isRow = (line: string): boolean => NAMES.has(/^\| (.*?) \|/.exec(line)?.[1] ?? "");

/** Checks that the page has one row for each group of files that are protected for reading. */
export function checkPolicyPage({ file, lines }: Page): readonly string[] {
  return compareLines(file, protectedRows(), rowsOf(lines).filter(isRow));
}

/** Returns the lines of the page with the table of protected files. */
export function writePolicyPage({ lines }: Page): readonly string[] {
  const own = lines.findIndex((line) => line.startsWith(OWN));
  if (lines.some(isRow) || own < 0) return replaceRows(lines, isRow, protectedRows());
  return [...lines.slice(0, own), ...protectedRows(), ...lines.slice(own)];
}
