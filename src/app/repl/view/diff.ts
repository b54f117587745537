import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { visible } from "../../../util/text/visible.ts";
import { languageOf } from "../../terminal/print/highlight.ts";
import type { Paint } from "../../terminal/print/paint.ts";
import { wrap, type Sheet } from "./rows.ts";

const STYLES = [
  [/^(?:---|\+\+\+|diff |index |\*\*\*)/, "bold"],
  [/^@@/, "cyan"],
  [/^\+/, "green"],
  [/^-/, "red"],
] as const;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A line of a hunk. */
interface DiffLine {
  readonly mark: " " | "+" | "-";
  readonly text: string;
  /** In the file before, for a removed line, else in the file after. */
  readonly number: number;
}

/**
 * Returns the rows of a diff, wrapped below their mark; control characters are visible. The lines of one file have their numbers, and
 * colours if the terminal has them: of the change, and of the syntax.
 */
export function diffRows(diff: string, sheet: Sheet): readonly string[] {
  const all = visible(diff.replaceAll("\t", "    ")).trimEnd().split("\n");
  // Lines of a hunk start with their mark: this one says how many were cut.
  const note = all.at(-1)?.startsWith("[") === true ? all.at(-1) : undefined;
  const lines = note === undefined ? all : all.slice(0, -1);
  const files = lines.filter((line) => line.startsWith("+++ "));
  const hunks = files.length === 1 ? hunksOf(lines) : undefined;
  if (hunks === undefined) return all.flatMap((line) => plainRow(line, sheet));
  const name = (files[0] ?? "").slice(4);
  const removed = lines.find((line) => line.startsWith("--- "))?.slice(4) ?? name;
  const language = languageOf(name === "/dev/null" ? removed : name);
  const width = String(Math.max(...hunks.flat().map(({ number }) => number))).length;
  const rows = hunks.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [sheet.paint("dim", `  ${"⋯".padStart(width)}`)]),
    ...hunkRows(hunk, { ...sheet, language, numberWidth: width }),
  ]);
  return note === undefined ? rows : [...rows, sheet.paint("dim", `  ${note}`)];
}

function plainRow(line: string, { width, paint }: Sheet): readonly string[] {
  const style = STYLES.find(([pattern]) => pattern.test(line))?.[1];
  return wrap(style === undefined ? line : paint(style, line), width, "  ", "   ");
}

/** Returns undefined for a diff that has more than hunks. */
function hunksOf(lines: readonly string[]): readonly (readonly DiffLine[])[] | undefined {
  const hunks: DiffLine[][] = [];
  let [before, after] = [0, 0];
  for (const line of lines) {
    const start = HUNK.exec(line);
    if (start !== null) {
      [before, after] = [Number(start[1]), Number(start[2])];
      hunks.push([]);
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined) {
      if (!/^(?:--- |\+\+\+ |diff |index )/.test(line)) return undefined;
      continue;
    }
    if (line.startsWith("\\")) continue;
    const mark = line === "" ? " " : line.charAt(0);
    if (mark !== " " && mark !== "+" && mark !== "-") return undefined;
    hunk.push({ mark, text: line.slice(1), number: mark === "-" ? before : after });
    if (mark !== "+") before += 1;
    if (mark !== "-") after += 1;
  }
  return hunks.length === 0 ? undefined : hunks;
}

interface HunkSheet extends Sheet {
  readonly language: string;
  readonly numberWidth: number;
}

function hunkRows(hunk: readonly DiffLine[], sheet: HunkSheet): readonly string[] {
  const { width, paint, numberWidth } = sheet;
  const texts = paintedTexts(hunk, sheet);
  return hunk.flatMap(({ mark, number }, index) => {
    const gutter = `  ${String(number).padStart(numberWidth)} ${mark} `;
    const style = mark === "+" ? "green" : mark === "-" ? "red" : "dim";
    const hasBackground = mark !== " " && backgroundOf(mark, paint) !== undefined;
    const first = hasBackground ? gutter : paint(style, gutter);
    const rows = wrap(texts[index] ?? "", width, first, " ".repeat(gutter.length));
    return hasBackground ? rows.map((row) => onBackground(row, mark, sheet)) : rows;
  });
}

/** Colours the syntax of the file before and of the file after, as far as the hunk has them. */
function paintedTexts(hunk: readonly DiffLine[], { paint, language }: HunkSheet): readonly string[] {
  const paintSide = (own: DiffLine["mark"], isOnDark: boolean): Map<DiffLine, string> => {
    const side = hunk.filter(({ mark }) => mark === own || mark === " ");
    const code = side.map(({ text }) => text).join("\n");
    const lines = paint.code?.(code, language, { paint, isOnDark });
    return new Map(side.map((line, index) => [line, lines?.[index] ?? line.text]));
  };
  const hasBackgrounds = (paint.depth ?? 4) >= 8;
  const isOnDark = hasBackgrounds && paint.isLight !== true;
  const [before, after, around] = [paintSide("-", isOnDark), paintSide("+", isOnDark), paintSide(" ", false)];
  return hunk.map((line) => {
    const text = (line.mark === "-" ? before : line.mark === "+" ? after : around).get(line) ?? line.text;
    const isColoured = paint.code !== undefined && text !== line.text;
    // Without a background the colour of the line says whether it is new.
    if (line.mark !== " " && !hasBackgrounds) return paint(line.mark === "+" ? "green" : "red", line.text);
    return isColoured ? text : line.text;
  });
}

type Backgrounds = Readonly<Record<number, Readonly<Record<"+" | "-", string>>>>;

const DARK: Backgrounds = {
  8: { "+": "48;5;22", "-": "48;5;52" },
  24: { "+": "48;2;16;52;28", "-": "48;2;66;22;26" },
};
const LIGHT: Backgrounds = {
  8: { "+": "48;5;194", "-": "48;5;224" },
  24: { "+": "48;2;218;251;225", "-": "48;2;255;224;224" },
};

function backgroundOf(mark: "+" | "-", { depth = 4, isLight = false }: Paint): string | undefined {
  return (isLight ? LIGHT : DARK)[depth]?.[mark];
}

/** Fills the row to the width, with text that can be read on the background whatever the terminal's own is. */
function onBackground(row: string, mark: "+" | "-", { width, paint }: Sheet): string {
  const background = backgroundOf(mark, paint);
  const filled = row + " ".repeat(Math.max(0, width - visibleWidth(row)));
  const colour = paint.isLight === true ? "38;5;235" : "38;5;253";
  const text = filled.replaceAll("\u{1b}[39m", `\u{1b}[${colour}m`);
  return `\u{1b}[${background};${colour}m${text}\u{1b}[49;39m`;
}
