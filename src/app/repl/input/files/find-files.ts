/** A path of the index, prepared for the search. */
export interface IndexedPath {
  /** Relative to the workspace; a folder ends with a slash. */
  readonly path: string;
  readonly lower: string;
  /** Where the name begins, behind the last folder. */
  readonly nameAt: number;
}

/** Prepares a path for the search. */
export function indexPath(path: string): IndexedPath {
  const lower = path.toLowerCase();
  return { path, lower, nameAt: lower.lastIndexOf("/", lower.length - 2) + 1 };
}

const [NAME_START, NAME_PART, PATH_PART, LETTERS] = [4000, 3000, 2000, 1000];
/** Moves a path that the person used before over those of the next kind of match. */
const RECENT = 1500;

/**
 * Returns the best matches of a typed text, the best first: names that begin with it, names and paths that contain it, then paths that
 * have its letters in this order. Paths that were used before come first. Looks at every path once, and keeps only `limit` of them.
 */
export function findPaths(
  typed: string,
  paths: readonly IndexedPath[],
  { limit, recent }: { readonly limit: number; readonly recent: ReadonlySet<string> },
): readonly string[] {
  const word = typed.toLowerCase();
  const best: { readonly path: string; readonly score: number }[] = [];
  let least = -Infinity;
  for (const one of paths) {
    const match = scoreOf(word, one);
    if (match === undefined) continue;
    const score = recent.has(one.path) ? match + RECENT : match;
    if (best.length === limit && score <= least) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
    best.splice(at, 0, { path: one.path, score });
    if (best.length > limit) best.pop();
    least = best.at(-1)?.score ?? -Infinity;
  }
  return best.map(({ path }) => path);
}

function scoreOf(word: string, { lower, nameAt }: IndexedPath): number | undefined {
  const short = -Math.min(lower.length, 500);
  const inName = lower.indexOf(word, nameAt);
  if (inName === nameAt) return NAME_START + short;
  if (inName >= 0) return NAME_PART + short;
  if (lower.includes(word)) return PATH_PART + short;
  const gaps = gapsIn(word, lower);
  return gaps === undefined ? undefined : LETTERS - gaps + short / 10;
}

/** Counts the letters between those of a word; undefined if the text does not have them in this order. */
function gapsIn(word: string, text: string): number | undefined {
  let at = -1;
  let first = 0;
  for (let index = 0; index < word.length; index += 1) {
    at = text.indexOf(word[index] ?? "", at + 1);
    if (at < 0) return undefined;
    if (index === 0) first = at;
  }
  return at - first + 1 - word.length;
}

/** Returns whether a text has the letters of a word in this order. */
export function hasLetters(word: string, text: string): boolean {
  return gapsIn(word.toLowerCase(), text.toLowerCase()) !== undefined;
}
