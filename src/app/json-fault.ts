export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Where a text stops being JSON, and what should have stood there; undefined for valid JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const reader = createReader(text);
  const expected = reader.value() ?? reader.end();
  if (expected === undefined) return undefined;
  const before = text.slice(0, reader.position()).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected };
}

/** Each step gives undefined when it passed, else what it had expected at the reader's position. */
function createReader(text: string) {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found !== null;
  };
  const take = (mark: string): boolean => {
    skip(SPACE);
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };
  const items = (end: string, item: () => string | undefined): string | undefined => {
    if (take(end)) return undefined;
    for (;;) {
      const expected = item();
      if (expected !== undefined) return expected;
      if (take(end)) return undefined;
      if (!take(",")) return `"," or "${end}"`;
    }
  };
  const field = (): string | undefined => {
    skip(SPACE);
    if (!skip(STRING)) return "a name in double quotes";
    return take(":") ? value() : '":"';
  };
  const value = (): string | undefined => {
    if (take("{")) return items("}", field);
    if (take("[")) return items("]", value);
    skip(SPACE);
    return skip(STRING) || skip(SCALAR) ? undefined : "a value";
  };
  const end = (): string | undefined => {
    skip(SPACE);
    return at === text.length ? undefined : "the end";
  };
  return { value, end, position: () => at };
}
