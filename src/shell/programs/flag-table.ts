import type { Effect, Flag, Flags, ValueKind } from "./tables/program.ts";

/** The flags of one usage, by spelling. */
export interface FlagTable {
  /** By every spelling, dashes included. */
  readonly bySpelling: ReadonlyMap<string, Flag>;
  /** The long spellings, for abbreviations. */
  readonly longs: readonly string[];
  /** The flag for options such as `-12`. */
  readonly number: Flag | undefined;
}

/** Returns the table of these flags; built on first use and cached. */
export function flagTable(flags: Flags | undefined): FlagTable {
  if (flags === undefined) return NO_FLAGS;
  const known = TABLES.get(flags);
  if (known !== undefined) return known;
  const table = buildTable(flags);
  TABLES.set(flags, table);
  return table;
}

const NO_FLAGS: FlagTable = { bySpelling: new Map(), longs: [], number: undefined };
const TABLES = new Map<Flags, FlagTable>();

const MARKS: Readonly<Record<string, Effect>> = { "~": "opaque", ">": "writes", "!": "executes" };
const KINDS: Readonly<Record<string, ValueKind>> = {
  "": "plain",
  r: "read",
  w: "write",
  d: "folder",
  x: "text",
  c: "ranged",
  n: "names",
};
const NUMBER = "-NUM";

function buildTable(flags: Flags): FlagTable {
  const bySpelling = new Map<string, Flag>();
  let effect: Effect = "safe";
  for (const item of flags.split(/\s+/)) {
    const mark = MARKS[item];
    if (mark !== undefined) effect = mark;
    else if (item !== "") addItem(item, effect, bySpelling);
  }
  const longs = [...bySpelling.keys()].filter((spelling) => spelling.startsWith("--"));
  return { bySpelling, longs, number: bySpelling.get(NUMBER) };
}

function addItem(item: string, effect: Effect, bySpelling: Map<string, Flag>): void {
  const isLongOnly = item.endsWith("[=]");
  const isOptional = isLongOnly || item.endsWith("?");
  const [names = "", ...values] = item
    .replace(/\[=\]$/, "=")
    .replace(/\?$/, "")
    .split("=");
  const spellings = names.split(",");
  const [name = ""] = spellings;
  const flag: Flag = { name, values: values.map((value) => KINDS[value] ?? "plain"), isOptional, effect };
  const short: Flag = isLongOnly ? { ...flag, values: [], isOptional: false } : flag;
  for (const spelling of spellings) bySpelling.set(spelling, spelling.startsWith("--") ? flag : short);
}
