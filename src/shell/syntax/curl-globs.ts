/** One piece of a URL that curl expands: the texts it may be. */
type Choices = readonly string[];

const RANGE = /^([a-z]|\d{1,9})-([a-z]|\d{1,9})(?::(\d{1,9}))?$/i;

/**
 * Expands the globs of a URL as curl does: `{a,b}`, `[1-3]`, `[a-z]`, `[01-99:2]`. Returns undefined if there are more than
 * `max` results; what is no glob stays as it is.
 */
export function expandCurlGlobs(text: string, max: number): readonly string[] | undefined {
  let results: readonly string[] = [""];
  for (const [piece] of text.matchAll(/\{[^{}]*\}|\[[^[\]]*\]|[^{}[\]]+|[{}[\]]/g)) {
    const choices = choicesOf(piece, max);
    if (choices === undefined || results.length * choices.length > max) return undefined;
    results = results.flatMap((before) => choices.map((choice) => before + choice));
  }
  return results;
}

function choicesOf(piece: string, max: number): Choices | undefined {
  if (piece.length > 1 && piece.startsWith("{")) return piece.slice(1, -1).split(",");
  const [, from = "", to = "", step = "1"] = RANGE.exec(piece.slice(1, -1)) ?? [];
  if (!piece.startsWith("[") || from === "") return [piece];
  const isNumber = /^\d+$/.test(from) && /^\d+$/.test(to);
  if (!isNumber && /\d/.test(from + to)) return [piece];
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const by = Math.max(1, Number(step));
  const count = Math.floor((last - first) / by) + 1;
  if (count > max) return undefined;
  const codes = Array.from({ length: Math.max(0, count) }, (_, index) => first + index * by);
  return codes.map((code) =>
    isNumber ? String(code).padStart(from.length, "0") : String.fromCharCode(code),
  );
}
