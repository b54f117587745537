import { DIALECTS } from "../../src/models/text-calls/dialects/dialects.ts";
import { renderCall } from "../../src/models/text-calls/render.ts";
import type { Page } from "./page.ts";
import { compareLines, rowsOf } from "./page.ts";

const EXAMPLE = { name: "ls", input: { path: "src" } };

/** The page has one row for each dialect: its name, who writes it, and a call in it. */
export function checkDialectsPage({ file, lines }: Page): readonly string[] {
  return compareLines(
    file,
    dialectRows(),
    rowsOf(lines).filter((row) => row.startsWith("| `")),
  );
}

/** The rows as they should be. Line breaks are shown as a sign, and so is the bar that would end a cell. */
function dialectRows(): readonly string[] {
  return DIALECTS.map(({ name, models }) => {
    const call = renderCall(name, EXAMPLE).replaceAll("\n", "↵").replaceAll("|", "\\|").trim();
    return `| \`${name}\` | ${models} | ${inCode(call)} |`;
  });
}

function inCode(text: string): string {
  const ticks = text.includes("`") ? "````" : "`";
  return ticks === "`" ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}
