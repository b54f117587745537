import { ERROR_CODES } from "../../src/core/errors.ts";
import { compareLines, rowsOf, type Page } from "./page.ts";

/** The table of codes is on the page, row for row. */
export function checkErrorsPage({ file, lines }: Page): readonly string[] {
  const rows = rowsOf(lines).filter((row) => /^\| `[A-Z_]+` \|/.test(row));
  return compareLines(file, errorRows(), rows);
}

/** One row for each code, exactly as the table of codes says. */
function errorRows(): readonly string[] {
  return Object.entries(ERROR_CODES).map(
    ([code, { meaning, fixedBy, retry, exitCode, httpStatus }]) =>
      `| \`${code}\` | ${meaning} | ${fixedBy} | ${retry ? "yes" : "no"} | ${exitCode} | ${httpStatus} |`,
  );
}
