/** The most candidates that are compared: of a larger registry, a misspelt name must not hold up other calls. */
const MAX_CANDIDATES = 20_000;

/** Returns the candidates that `word` probably stands for, best first; rather none than a bad guess. Ties keep the given order. */
export function nearNames(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = lettersOf(word);
  const words = wordsOf(word);
  const distances = createDistances();
  const best: { readonly name: string; readonly score: number }[] = [];
  if (wanted.length === 0) return [];
  let compared = 0;
  for (const name of candidates) {
    if ((compared += 1) > MAX_CANDIDATES) break;
    const least = best.length < limit ? 0 : (best[limit - 1]?.score ?? 0);
    const score = scoreOf(name, least, { wanted, words, distances });
    if (score <= least) continue;
    const place = best.findIndex((other) => other.score < score);
    best.splice(place < 0 ? best.length : place, 0, { name, score });
    if (best.length > limit) best.pop();
  }
  return best.map(({ name }) => name);
}

interface Wanted {
  readonly wanted: readonly number[];
  readonly words: readonly string[];
  readonly distances: ReturnType<typeof createDistances>;
}

/** Names are compared up to this length: the work grows with its square. */
const MAX_LENGTH = 128;
const SHARED_WEIGHT = 0.6;
const CONTAINED = 0.5;

/** Returns a score from 0 (no match) to 1 (the same except for case and separators); scores up to `least` do not matter. */
function scoreOf(name: string, least: number, { wanted, words, distances }: Wanted): number {
  const letters = lettersOf(name);
  const length = Math.max(wanted.length, letters.length);
  const allowed = Math.min(Math.floor(length / 3), Math.floor((1 - least) * (length + 1)));
  const distance = distances.between(wanted, letters, allowed);
  if (distance <= allowed) return 1 - distance / (length + 1);
  return least < SHARED_WEIGHT ? sharedWords(name, words) : 0;
}

/** Returns the letters and digits of a name in lower case and one Unicode form, without separators. */
function lettersOf(name: string): readonly number[] {
  const letters: number[] = [];
  const lower = name.normalize().toLowerCase();
  for (let index = 0; index < lower.length && letters.length < MAX_LENGTH; index += 1) {
    const code = lower.charCodeAt(index);
    const isLetter = code > 96 || (code >= 48 && code <= 57);
    if (isLetter) letters.push(code);
  }
  return letters;
}

/** Returns the words of a name: `readFile`, `read_file` and `read-file` are all read and file. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.slice(0, MAX_LENGTH).replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return spaced
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}

/** Scores the words that both names share, or a little if a name contains the only word. */
function sharedWords(name: string, words: readonly string[]): number {
  const lower = name.toLowerCase();
  // Most candidates share nothing: they are skipped before their words are split.
  if (!words.some((word) => lower.includes(word))) return 0;
  const others = wordsOf(name);
  const shared = words.filter((word) => others.includes(word)).length;
  if (shared > 0) return (SHARED_WEIGHT * 2 * shared) / (words.length + others.length);
  const [only = ""] = words;
  return words.length === 1 && only.length > 2 ? CONTAINED * (only.length / lower.length) : 0;
}

/** Creates an edit distance that reuses its rows, so that ten thousand comparisons allocate nothing. */
function createDistances() {
  const rows: readonly number[][] = [[], [], []];
  return {
    /** Counts insertions, removals, replacements and swaps of neighbours; stops at `most + 1`. */
    between: (a: readonly number[], b: readonly number[], most: number): number => {
      if (Math.abs(a.length - b.length) > most) return most + 1;
      let [beforeLast, last, current] = rows as [number[], number[], number[]];
      for (let column = 0; column <= b.length; column += 1) last[column] = column;
      for (let row = 1; row <= a.length; row += 1) {
        const best = fillRow(a, b, { row, most, beforeLast, last, current });
        if (best > most) return most + 1;
        [beforeLast, last, current] = [last, current, beforeLast];
      }
      return last[b.length] ?? most + 1;
    },
  };
}

interface Row {
  readonly row: number;
  readonly most: number;
  readonly beforeLast: readonly number[];
  readonly last: readonly number[];
  readonly current: number[];
}

/** Fills the cells within `most` of the diagonal, which are those that matter, and returns the least. */
function fillRow(a: readonly number[], b: readonly number[], work: Row): number {
  const { row, most, beforeLast, last, current } = work;
  const from = Math.max(1, row - most);
  const to = Math.min(b.length, row + most);
  const beyond = most + 1;
  current[from - 1] = from === 1 ? row : beyond;
  let best = current[from - 1] as number;
  for (let column = from; column <= to; column += 1) {
    const same = a[row - 1] === b[column - 1];
    const above = column === row + most ? beyond : (last[column] as number);
    let cost = Math.min(above, current[column - 1] as number) + 1;
    cost = Math.min(cost, (last[column - 1] as number) + (same ? 0 : 1));
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
    current[column] = cost;
    if (cost < best) best = cost;
  }
  return best;
}
