import { ERROR_CODES } from "../../src/core/errors.ts";
import { compareLines, replaceRows, rowsOf, type Page } from "./page.ts";

const isRow = (line: string): boolean => /^\| `[A-Z_]+` \|/.test(line);

/** The table of codes is on the page, row for row. */
export function checkErrorsPage({ file, lines }: Page): readonly string[] {
  const rows = rowsOf(lines).filter(isRow);
  return compareLines(file, errorRows(), rows);
}

/** Returns the lines of the page with the table of codes. */
export function writeErrorsPage({ lines }: Page): readonly string[] {
  return replaceRows(lines, isRow, errorRows());
}

/** One row for each code, exactly as the table of codes says. */
function errorRows(): readonly string[] {
  return Object.entries(ERROR_CODES).map(
    ([code, { meaning, fixedBy, retry, exitCode, httpStatus }]) =>
      `| \`${code}\` | ${meaning} | ${fixedBy} | ${retry ? "yes" : "no"} | ${exitCode} | ${httpStatus} |`,
  );
}
