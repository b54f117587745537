/** How soon repetitions of a word stop to count, and how much a long text is discounted: the usual values of BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** A text and the weight of its words. */
export type WeightedText = readonly [text: string, weight: number];

/** A full-text index. */
export interface TextIndex<T> {
  /** Returns the best matches first; none if no word of the query is found. */
  search(query: string, limit: number): readonly T[];
}

interface Posting {
  readonly item: number;
  readonly weight: number;
}

/**
 * Creates an index of items by their texts, ranked by BM25; a search only visits items with a word of the query or with a synonym of one.
 * Words are compared by their stems.
 */
export function createTextIndex<T>(
  items: readonly T[],
  textsOf: (item: T) => readonly WeightedText[],
  synonymsOf: (stem: string) => readonly string[] = () => [],
): TextIndex<T> {
  const postings = new Map<string, Posting[]>();
  const lengths = items.map((one, item) => {
    const { weights, length } = weightsOf(textsOf(one));
    for (const [word, weight] of weights) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [{ item, weight }]);
      else list.push({ item, weight });
    }
    return length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, items.length);
  const vocabulary = [...postings.keys()].sort();

  return {
    search(query, limit) {
      const scores = new Float64Array(items.length);
      for (const word of meaningOf(query)) {
        const synonyms = synonymsOf(word).map((one) => [one, SYNONYM_SHARE] as const);
        // A word and its synonyms are one term: a text with several of them is not better, and a rare synonym not more telling.
        const best = new Map<number, number>();
        for (const [term, share] of [...similarWords(word, vocabulary), ...synonyms]) {
          for (const { item, weight } of postings.get(term) ?? []) {
            const length = (lengths[item] ?? 0) / meanLength;
            const damped = weight + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
            best.set(item, Math.max(best.get(item) ?? 0, (share * weight * (SATURATION + 1)) / damped));
          }
        }
        const rarity = Math.log(1 + (items.length - best.size + 0.5) / (best.size + 0.5));
        for (const [item, score] of best) scores[item] = (scores[item] ?? 0) + rarity * score;
      }
      return best(scores, limit).map((index) => items[index] as T);
    },
  };
}

/** Returns the weight of each word, and the length of the texts in weighted words; names as a whole do not count twice. */
function weightsOf(texts: readonly WeightedText[]): {
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
} {
  const weights = new Map<string, number>();
  let length = 0;
  const add = (words: readonly string[], weight: number): void => {
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  for (const [text, weight] of texts) {
    const { words, names } = wordsOf(text);
    add(words, weight);
    add(names, weight);
    length += words.length * weight;
  }
  return { weights, length };
}

/** Stop words. */
const EMPTY_WORDS = new Set(
  (
    "a an and any are as at be by can do doe for from how i in into is it me my of on or " +
    "that the thi to use want what which with you"
  ).split(" "),
);

/** Returns the words of a query without stop words; all of them if there are only stop words. */
function meaningOf(query: string): ReadonlySet<string> {
  const { words, names } = wordsOf(query);
  const meant = words.filter((word) => !EMPTY_WORDS.has(word));
  return new Set([...(meant.length === 0 ? words : meant), ...names]);
}

interface Words {
  readonly words: readonly string[];
  /** Names in camel case as a whole. */
  readonly names: readonly string[];
}

/** Returns words in lower case; names in camel and snake case are split. */
function wordsOf(text: string): Words {
  // ASCII is handled apart because Unicode classes cost three times as much.
  const isPlain = /^[ -~\s]*$/.test(text);
  const camel = isPlain ? /([a-z0-9])([A-Z])/g : /([\p{Ll}\d])(\p{Lu})/gu;
  const apart = text.replaceAll(camel, "$1 $2");
  const words = plainWords(apart, isPlain);
  if (apart === text) return { words, names: [] };
  const names = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.search(camel) >= 0);
  return { words, names: plainWords(names.join(" "), isPlain) };
}

function plainWords(text: string, isPlain: boolean): readonly string[] {
  const lower = isPlain ? text.toLowerCase() : text.toLowerCase().normalize("NFKC");
  return (lower.match(isPlain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

/** Endings of English words, the longest first, and what stays of a word with them. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=.{3})ies$/, "y"],
  [/(?<=.{3}[sx]|.{3}[cs]h)es$/, ""],
  [/(?<=.{2}[^s])s$/, ""],
];
const SHORT_ROOT = /^[^aeiou]?[aeiou][^aeiouwxy]$/;
const VERB_ENDING = /(?<=[aeiouy].*[^aeiou]|[aeiou].*[aeiou])(?:ing|ed)$/;

/** Removes the usual endings, so that "files" finds "file", and "removing" finds "remove". */
export function stem(word: string): string {
  const [pattern, rest] = ENDINGS.find(([ending]) => ending.test(word)) ?? [];
  const singular = pattern === undefined ? word : word.replace(pattern, rest ?? "");
  const root = singular.length > 4 ? singular.replace(VERB_ENDING, "") : singular;
  if (root !== singular) {
    const single = root.replace(/([^aeiouls])\1$/, "$1");
    // "running" comes from "run", and "saving" from "save".
    if (single === root && SHORT_ROOT.test(root)) return `${root}e`;
    return single;
  }
  return root.length > 4 ? root.replace(/e$/, "") : root;
}

/** Returns the word itself and, with less weight, the words it is a prefix of. */
function similarWords(word: string, vocabulary: readonly string[]): readonly (readonly [string, number])[] {
  const words: [string, number][] = [];
  const from = firstFrom(vocabulary, word);
  for (let at = from; at < vocabulary.length && words.length < MAX_SIMILAR; at += 1) {
    const candidate = vocabulary[at] ?? "";
    if (!candidate.startsWith(word)) break;
    if (candidate === word) words.push([candidate, 1]);
    else if (word.length >= MIN_PREFIX) words.push([candidate, PREFIX_SHARE]);
  }
  return words;
}

const MIN_PREFIX = 3;
const MAX_SIMILAR = 32;
const PREFIX_SHARE = 0.4;
const SYNONYM_SHARE = 0.5;

function firstFrom(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the highest scores without sorting all; ties keep the given order. */
function best(scores: Float64Array, limit: number): readonly number[] {
  const top: [number, number][] = [];
  let least = 0;
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] ?? 0;
    if (score <= least) continue;
    const at = top.findIndex(([, other]) => score > other);
    top.splice(at < 0 ? top.length : at, 0, [index, score]);
    if (top.length > limit) top.pop();
    if (top.length === limit) least = top.at(-1)?.[1] ?? 0;
  }
  return top.map(([index]) => index);
}
