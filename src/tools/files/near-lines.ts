const MAX_LINES = 20_000;
const MAX_LENGTH = 200;
const MAX_CANDIDATES = 3;
const LEAST_LIKENESS = 0.5;

// A type and not an interface, so that it counts as JSON.
export type NearLine = { readonly line: number; readonly text: string };

/** The lines of a text that are most like the first line of what was looked for. */
export function nearLines(text: string, wanted: string): readonly NearLine[] {
  const first = wanted.split("\n").find((line) => line.trim() !== "") ?? "";
  const pairs = pairsOf(first);
  const lines = text.split("\n", MAX_LINES).map((line, index) => ({
    line: index + 1,
    text: line.slice(0, MAX_LENGTH),
    likeness: likeness(pairs, pairsOf(line)),
  }));
  return lines
    .filter((line) => line.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_CANDIDATES)
    .map(({ line, text }) => ({ line, text }));
}

/** How many of the pairs of letters two lines share, from 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().slice(0, MAX_LENGTH);
  const pairs = new Set<string>(text.length === 1 ? [text] : []);
  for (let at = 0; at < text.length - 1; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}
