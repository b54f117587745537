import type { Json } from "../../../core/json.ts";
import type { FindSecrets } from "../../../core/session/find-secrets.ts";
import { maskedHead } from "../../../secrets/masked-ends.ts";

/** The bytes of a line that are shown. */
export const MAX_COLUMNS = 500;
/** Those that ripgrep prints: of a secret at the cut, the end must be known. */
export const PRINTED_COLUMNS = MAX_COLUMNS + 1024;
const REST = /^[^]*( \[\.\.\. [^[\]]*\])$/;

/** One match, or one file. */
export interface Hit {
  /** As ripgrep reports it. */
  readonly path: string;
  /** Renders it with a path. */
  shown(path: string): string;
  data(path: string): Json;
}

interface HitsOptions {
  readonly output: "content" | "files" | "count";
  readonly multiline: boolean;
  readonly context_lines: number;
  readonly find?: FindSecrets | undefined;
}

interface Collector {
  add(line: string): void;
  /** Returns how many files were searched, if ripgrep has printed it after the matches (`--stats`). */
  end(): number | undefined;
}

interface Printed {
  readonly path: string;
  readonly line: number;
  readonly isMatch: boolean;
  readonly text: string;
}

/** Matches a path, a NUL and the rest. */
const FILE = /^(?:\.\/)?([^\0]*)\0(.*)$/s;
const LINE = /^(\d+)([:-])(.*)$/s;
const BINARY = /: WARNING: stopped searching binary file after match \(found .* byte around offset \d+\)$/;
const SEARCHED = /\n(\d+) files searched\n/;

/** Parses the output of ripgrep, line by line. */
export function collectHits(options: HitsOptions, take: (hit: Hit) => void): Collector {
  if (options.output === "content") return joinNames(collectMatches(options, take));
  if (options.output === "count")
    return joinNames({
      add(line) {
        const [, path = "", count = ""] = FILE.exec(line) ?? [];
        take(countHit(path, count));
      },
      end: () => undefined,
    });
  return { add: (path) => take(fileHit(path.replace(/^\.\//, ""))), end: () => undefined };
}

/** Joins the lines of a name with line breaks: every name ends with a NUL. Drops ripgrep's warnings, which have none. */
function joinNames(collector: Collector): Collector {
  let start = "";
  return {
    add(line) {
      const whole = start + line;
      const isHit = whole.includes("\0");
      start = isHit || BINARY.test(line) ? "" : `${whole}\n`;
      if (isHit) collector.add(whole);
    },
    end() {
      collector.end();
      const [, searched] = SEARCHED.exec(start) ?? [];
      return searched === undefined ? undefined : Number(searched);
    },
  };
}

function fileHit(path: string): Hit {
  return { path, shown: (path) => path, data: (path) => path };
}

function countHit(path: string, count: string): Hit {
  return { path, shown: (path) => `${path}:${count}`, data: (path) => ({ path, count: Number(count) }) };
}

/** Assigns context lines to matches; between two matches, those that the first does not need belong to the second. */
function collectMatches(
  { multiline, context_lines, find }: HitsOptions,
  take: (hit: Hit) => void,
): Collector {
  let block: Printed[] = [];
  let before: Printed[] = [];
  let lastMatch: Printed | undefined;
  const finish = (): void => {
    if (block.length > 0) take(matchHit(block, context_lines > 0));
    block = [];
  };
  const addMatch = (line: Printed): void => {
    // Consecutive lines are one match only if the pattern can span lines.
    const continues = multiline && follows(line, lastMatch) && before.length === 0;
    if (!continues) {
      finish();
      block = before;
      before = [];
    }
    block.push(line);
    lastMatch = line;
  };
  const addContext = (line: Printed): void => {
    const isAfter = follows(line, block.at(-1)) && line.line - (lastMatch?.line ?? 0) <= context_lines;
    if (isAfter) block.push(line);
    else if (follows(line, before.at(-1))) before.push(line);
    else before = [line];
  };
  return {
    add(text) {
      const line = parsePrinted(text, find);
      if (line?.isMatch === true) addMatch(line);
      else if (line !== undefined) addContext(line);
    },
    end() {
      finish();
      return undefined;
    },
  };
}

function follows(line: Printed, other: Printed | undefined): boolean {
  return other?.path === line.path && other.line === line.line - 1;
}

function parsePrinted(text: string, find: FindSecrets | undefined): Printed | undefined {
  const [, path, rest = ""] = FILE.exec(text) ?? [];
  const [, line, mark, content = ""] = LINE.exec(rest) ?? [];
  if (path === undefined || line === undefined) return undefined;
  return {
    path,
    line: Number(line),
    isMatch: mark === ":",
    text: shortLine(content.toWellFormed().replace(/\r$/, ""), find),
  };
}

function shortLine(text: string, find: FindSecrets | undefined): string {
  if (Buffer.byteLength(text) <= MAX_COLUMNS) return text;
  const [, rest = " [... omitted end of long line]"] =
    text.length > PRINTED_COLUMNS ? (REST.exec(text) ?? []) : [];
  return `${maskedHead(text, MAX_COLUMNS, find)}${rest}`;
}

function matchHit(block: readonly Printed[], hasContext: boolean): Hit {
  const matched = block.filter((line) => line.isMatch);
  const [first] = matched;
  const text = matched.map((line) => line.text).join("\n");
  const lines = (path: string): string =>
    block
      .map(({ line, isMatch, text }) => (isMatch ? `${path}:${line}:${text}` : `${path}-${line}-${text}`))
      .join("\n");
  return {
    path: first?.path ?? "",
    shown: (path) => (hasContext ? `${lines(path)}\n--` : lines(path)),
    data: (path) => ({ path, line: first?.line ?? 0, text }),
  };
}
