import { FORMS } from "../../src/secrets/find/forms.ts";
import { compareLines, replaceRows, rowsOf, type Page } from "./page.ts";

const isRow = (line: string): boolean => line.startsWith("| ") && !line.startsWith("| token |");

/** The table of forms is on the page, row for row. */
export function checkSecretsPage({ file, lines }: Page): readonly string[] {
  return compareLines(file, formRows(), rowsOf(lines).filter(isRow));
}

/** Returns the lines of the page with the table of forms. */
export function writeSecretsPage({ lines }: Page): readonly string[] {
  return replaceRows(lines, isRow, formRows());
}

const MAX_STARTS = 10;

/** One row for each form, with what its tokens begin with. */
function formRows(): readonly string[] {
  return FORMS.map(({ name, starts }) => {
    const firstStarts = starts.slice(0, MAX_STARTS).map((start) => `\`${start}\``);
    return `| ${name} | ${[...firstStarts, ...(starts.length > MAX_STARTS ? ["…"] : [])].join(" ")} |`;
  });
}
