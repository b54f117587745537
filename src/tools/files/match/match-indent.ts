import { indentOf, isBlank } from "./match-lines.ts";

/** The possible widths of a tab. */
const WIDTHS = [2, 3, 4, 8];

/** Lines whose indentation is compared in one search. After them, each further place counts as one whose indentation is unknown. */
export const MAX_COMPARED_LINES = 200_000;

/** Converts the indentation of a line to the file's; undefined if that is ambiguous. */
export type Reindent = (line: string) => string | undefined;

/**
 * Returns the ways to convert lines to the indentation of the same lines in a file: all shifted by the same blanks, tabs written as
 * spaces, or spaces as tabs. More than one way is ambiguous; a later group is used only if the one before is empty.
 */
export function reindents(
  fileLines: readonly string[],
  givenLines: readonly string[],
): readonly (readonly Reindent[])[] {
  const pairs = givenLines.flatMap((line, index) =>
    isBlank(line) ? [] : [{ given: indentOf(line), file: indentOf(fileLines[index] ?? "") }],
  );
  const mixes = pairs.some(({ file }) => isMixed(file));
  const conversions = CONVERSIONS.flatMap((convert, index) => {
    const shift = shiftOf(pairs, convert);
    return shift === undefined
      ? []
      : [{ isPlain: index === 0, shift, reindent: carry(convert, shift, mixes) }];
  });
  const plain = conversions.filter(({ isPlain }) => isPlain);
  const unshifted = conversions.filter(
    ({ isPlain, shift }) => !isPlain && shift.add === "" && shift.remove === "",
  );
  const shifted = conversions.filter(({ isPlain }) => !isPlain);
  return [plain, unshifted, shifted].map((group) => group.map(({ reindent }) => reindent));
}

type Convert = (indent: string) => string | undefined;

const CONVERSIONS: readonly Convert[] = [
  (indent) => indent,
  ...WIDTHS.map((width): Convert => (indent) => {
    if (indent.includes("\t") || indent.length % width !== 0) return undefined;
    return "\t".repeat(indent.length / width);
  }),
  ...WIDTHS.map((width): Convert => (indent) => {
    return indent.includes(" ") ? undefined : " ".repeat(indent.length * width);
  }),
];

interface Shift {
  readonly add: string;
  readonly remove: string;
}

interface Pair {
  readonly given: string;
  readonly file: string;
}

/** Returns the shift that explains every line; undefined if there is none. */
function shiftOf(pairs: readonly Pair[], convert: Convert): Shift | undefined {
  const [first] = pairs;
  const start = first === undefined ? undefined : convert(first.given);
  if (first === undefined || start === undefined) return undefined;
  const shift = {
    add: first.file.endsWith(start) ? first.file.slice(0, first.file.length - start.length) : "",
    remove: start.endsWith(first.file) ? start.slice(0, start.length - first.file.length) : "",
  };
  const explains = ({ given, file }: Pair): boolean => {
    const converted = convert(given);
    return converted !== undefined && shift.remove + file === shift.add + converted;
  };
  return pairs.every(explains) ? shift : undefined;
}

function carry(convert: Convert, shift: Shift, mixes: boolean): Reindent {
  return (line) => {
    if (isBlank(line)) return line;
    const indent = indentOf(line);
    const converted = convert(indent);
    if (converted?.startsWith(shift.remove) !== true) return undefined;
    const carried = shift.add + converted.slice(shift.remove.length);
    if (!mixes && isMixed(carried)) return undefined;
    return carried + line.slice(indent.length);
  };
}

function isMixed(indent: string): boolean {
  return indent.includes(" ") && indent.includes("\t");
}
