import { SETTINGS } from "../../src/app/config/settings/settings.ts";
import { compareLines, replaceRows, rowsOf, type Page } from "./page.ts";

/** Read beside the table of settings: which profile is chosen, and where the home is. */
const OTHERS = [
  "| `profile` | `--profile` | `TOOLWRIGHT_PROFILE` |",
  "| `profiles` | – | – |",
  "| (the home itself) | – | `TOOLWRIGHT_HOME` |",
];

/** Every setting has its row, with its flag and variable, and a paragraph that says what it does. */
export function checkConfigurationPage({ file, lines }: Page): readonly string[] {
  const rows = rowsOf(lines).map(keyCells);
  const untold = Object.keys(SETTINGS)
    .filter((key) => !lines.some((line) => line.startsWith(`\`${key}\``)))
    .map((key) => `${file}: no paragraph says what ${key} does`);
  return [...compareLines(file, [...settingRows(), ...OTHERS], rows), ...untold];
}

/** Returns the lines of the page with the table of settings. Default and rights of a project stay as written; a new setting has `–`. */
export function writeConfigurationPage({ lines }: Page): readonly string[] {
  const rows = rowsOf(lines);
  const isRow = (line: string): boolean => rows.includes(line);
  const expected = [...settingRows(), ...OTHERS].map(
    (cells) => rows.find((row) => keyCells(row) === cells) ?? `${cells} – | – |`,
  );
  const isSame = expected.length === rows.length && expected.every(isRow);
  return isSame ? lines : replaceRows(lines, isRow, expected);
}

/** Returns the first three cells of a row: setting, flag and variable. */
function keyCells(row: string): string {
  return `${row.split("|").slice(0, 4).join("|")}|`;
}

function settingRows(): readonly string[] {
  return Object.entries(SETTINGS).map(([key, { flag, variable }]) => {
    const cells = [key, flag === undefined ? undefined : `--${flag}`, variable];
    return `| ${cells.map((cell) => (cell === undefined ? "–" : `\`${cell}\``)).join(" | ")} |`;
  });
}
