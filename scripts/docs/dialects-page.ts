import { DIALECT_NAMES, dialectOf } from "../../src/models/text-calls/dialects/dialects.ts";
import { renderCall } from "../../src/models/text-calls/write/render.ts";
import { compareLines, replaceRows, rowsOf, type Page } from "./page.ts";

const isRow = (line: string): boolean => line.startsWith("| `");

const EXAMPLE = { name: "ls", input: { path: "src" } };

/** Checks that the page has one row for each dialect: its name, the models that write it, and a call in it. */
export function checkDialectsPage({ file, lines }: Page): readonly string[] {
  return compareLines(file, dialectRows(), rowsOf(lines).filter(isRow));
}

/** Returns the lines of the page with the table of dialects. */
export function writeDialectsPage({ lines }: Page): readonly string[] {
  return replaceRows(lines, isRow, dialectRows());
}

/** Returns the expected rows, with line breaks shown as ↵ and bars escaped. */
function dialectRows(): readonly string[] {
  return DIALECT_NAMES.map((name) => {
    const { models } = dialectOf(name);
    const call = renderCall(name, EXAMPLE).replaceAll("\n", "↵").replaceAll("|", "\\|").trim();
    return `| \`${name}\` | ${models} | ${inCode(call)} |`;
  });
}

function inCode(text: string): string {
  const ticks = text.includes("`") ? "````" : "`";
  return ticks === "`" ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}
