import { SETTINGS } from "../../src/app/config/settings.ts";
import { compareLines, rowsOf, type Page } from "./page.ts";

/** Read beside the table of settings: which profile is chosen, and where the home is. */
const OTHERS = [
  "| `profile` | `--profile` | `TOOLWRIGHT_PROFILE` |",
  "| `profiles` | – | – |",
  "| (the home itself) | – | `TOOLWRIGHT_HOME` |",
];

/** Every setting has its row, with its flag and variable, and a paragraph that says what it does. */
export function checkConfigurationPage({ file, lines }: Page): readonly string[] {
  const found = rowsOf(lines).map((row) => `${row.split("|").slice(0, 4).join("|")}|`);
  const untold = Object.keys(SETTINGS)
    .filter((key) => !lines.some((line) => line.startsWith(`\`${key}\``)))
    .map((key) => `${file}: no paragraph says what ${key} does`);
  return [...compareLines(file, [...settingRows(), ...OTHERS], found), ...untold];
}

function settingRows(): readonly string[] {
  return Object.entries(SETTINGS).map(([key, { flag, variable }]) => {
    const cells = [key, flag === undefined ? undefined : `--${flag}`, variable];
    return `| ${cells.map((cell) => (cell === undefined ? "–" : `\`${cell}\``)).join(" | ")} |`;
  });
}
