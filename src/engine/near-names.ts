/** The candidates that were probably meant by `word`, best first; none is better than a bad guess. Ties keep the given order. */
export function nearNames(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = normalise(word.slice(0, MAX_LENGTH));
  if (wanted === "") return [];
  const words = wordsOf(word.slice(0, MAX_LENGTH));
  const found: { readonly name: string; readonly score: number }[] = [];
  for (const name of candidates) {
    if (name.length > MAX_LENGTH) continue;
    const score = scoreOf(name, wanted, words);
    if (score > 0) found.push({ name, score });
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Longer names are not guessed at: the distance is quadratic in the length. */
const MAX_LENGTH = 128;

/** From 0, not meant, to 1, the same but for case and separators. */
function scoreOf(name: string, wanted: string, words: readonly string[]): number {
  const candidate = normalise(name);
  if (candidate === wanted) return 1;
  const allowed = Math.floor(Math.max(wanted.length, candidate.length) / 3);
  const distance = editDistance(wanted, candidate, allowed);
  if (distance <= allowed) return 1 - distance / (Math.max(wanted.length, candidate.length) + 1);
  const part = sharedWords(name, words);
  const contained = wanted.length >= 3 && candidate.includes(wanted) ? 0.5 : 0;
  return Math.max(part, contained);
}

function normalise(name: string): string {
  return name.toLowerCase().replace(/[\s_.:/-]+/g, "");
}

/** `readFile`, `read_file` and `read-file` are all the words read and file. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}

/** Up to 0.6: the share of words that both names have. */
function sharedWords(name: string, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const lower = name.toLowerCase();
  // Most candidates share nothing: they are passed over before their words are split.
  if (!words.some((word) => lower.includes(word))) return 0;
  const others = wordsOf(name);
  const shared = words.filter((word) => others.includes(word)).length;
  return (0.6 * (2 * shared)) / (words.length + others.length);
}

/** The number of insertions, removals, replacements and swaps of neighbours; more than `most` once it cannot be less. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (isSwap(a, b, row, column)) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
      if (cost < best) best = cost;
    }
    if (best > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? most + 1;
}

function isSwap(a: string, b: string, row: number, column: number): boolean {
  if (row < 2 || column < 2) return false;
  return (
    a.charCodeAt(row - 1) === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
  );
}
