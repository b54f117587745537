import { line, type Line, type Style } from "../text/line.ts";
import { plain } from "../text/plain.ts";

const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^(?:---|\+\+\+|diff |index |\*\*\*)/, { bold: true }],
  [/^@@/, { colour: "cyan" }],
  [/^\+/, { colour: "green" }],
  [/^-/, { colour: "red" }],
];

/** Returns the styled lines of a unified diff. */
export function diffLines(diff: string): readonly Line[] {
  return plain(diff)
    .trimEnd()
    .split("\n")
    .map((text) => line(text, STYLES.find(([pattern]) => pattern.test(text))?.[1]));
}
