export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const PLAIN = /[^"\\\u0000-\u001f]{1,1000}/y;
const SPACE = /[ \t\n\r]{1,1000}/y;

/** Where a text stops being JSON, and what should have stood there; undefined for valid JSON. Any depth, any length. */
export function findJsonFault(text: string): JsonFault | undefined {
  const reader = createReader(text);
  const expected = readValue(reader);
  return expected === undefined ? undefined : { ...placeOf(text, reader.at()), expected };
}

/** Reads one value and the end; gives what it had expected where it stopped. Open lists and objects are on a stack of its own. */
function readValue(reader: Reader): string | undefined {
  const ends: ("]" | "}")[] = [];
  for (;;) {
    const missing = ends.at(-1) === "}" ? readName(reader) : undefined;
    if (missing !== undefined) return missing;
    const opened = readOpening(reader);
    if (opened !== undefined && !reader.take(opened)) {
      ends.push(opened);
      continue;
    }
    if (opened === undefined && !reader.string() && !reader.scalar()) return "a value";
    while (reader.take(ends.at(-1) ?? "")) ends.pop();
    const end = ends.at(-1);
    if (end === undefined) return reader.isDone() ? undefined : "the end";
    if (!reader.take(",")) return `"," or "${end}"`;
  }
}

function readName(reader: Reader): string | undefined {
  if (!reader.string()) return "a name in double quotes";
  return reader.take(":") ? undefined : '":"';
}

/** What closes the list or object that begins here. */
function readOpening(reader: Reader): "]" | "}" | undefined {
  if (reader.take("{")) return "}";
  return reader.take("[") ? "]" : undefined;
}

interface Reader {
  /** Each passes over what it names, after white space, and says whether it was there. */
  take(mark: string): boolean;
  string(): boolean;
  scalar(): boolean;
  isDone(): boolean;
  at(): number;
}

function createReader(text: string): Reader {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const skipSpace = (): void => {
    while (skip(SPACE));
  };
  const take = (mark: string): boolean => {
    skipSpace();
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };
  const string = (): boolean => {
    if (!take('"')) return false;
    const start = at - 1;
    while (skip(PLAIN) || skip(ESCAPE));
    if (text[at] === '"') at += 1;
    else at = start;
    return at !== start;
  };
  const scalar = (): boolean => {
    skipSpace();
    return skip(SCALAR);
  };
  const isDone = (): boolean => {
    skipSpace();
    return at === text.length;
  };
  return { take, string, scalar, isDone, at: () => at };
}

function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}
