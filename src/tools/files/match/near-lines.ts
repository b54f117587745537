const MAX_LINES = 20_000;
const MAX_LENGTH = 200;
const MAX_STARTS = 50;
const MAX_BLOCK = 12;
const MAX_CANDIDATES = 3;
const LEAST_SIMILARITY = 0.5;

// Types, not interfaces, so that they are assignable to JSON.
export type NearBlock = {
  /** The first line of the block. */
  readonly line: number;
  readonly text: string;
  /** The first line that differs, if it is not the first of the block. */
  readonly differs?: { readonly line: number; readonly text: string; readonly wanted: string };
};

interface Scored extends NearBlock {
  readonly similarity: number;
}

/** Returns the places that are most similar to a block of lines, best first. */
export function nearBlocks(text: string, wanted: string): readonly NearBlock[] {
  const lines = text.split("\n", MAX_LINES).map(withoutCr);
  const block = wanted.split("\n").map(withoutCr);
  const skipped = block.findIndex((line) => line.trim() !== "");
  if (skipped < 0) return [];
  const wantedLines = block.slice(skipped, skipped + MAX_BLOCK);
  return nearestStarts(lines, wantedLines[0] ?? "")
    .map((start) => scored(lines, start, wantedLines))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_CANDIDATES)
    .map(({ similarity: _similarity, ...block }) => block);
}

/** Describes the places for a hint, one line each. */
export function describeNear(blocks: readonly NearBlock[]): string {
  const describe = ({ line, text, differs }: NearBlock): string => {
    const start = `line ${line}: ${text}`;
    if (differs === undefined) return start;
    return `${start}\n  then line ${differs.line} is ${JSON.stringify(differs.text)}, expected ${JSON.stringify(differs.wanted)}`;
  };
  return blocks.map(describe).join("\n");
}

function nearestStarts(lines: readonly string[], first: string): readonly number[] {
  const pairs = pairsOf(first);
  return lines
    .map((line, index) => ({ index, similarity: similarity(pairs, pairsOf(line)) }))
    .filter((line) => line.similarity >= LEAST_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_STARTS)
    .map(({ index }) => index);
}

function scored(lines: readonly string[], start: number, wanted: readonly string[]): Scored {
  const cut = (line: string | undefined): string => (line ?? "").slice(0, MAX_LENGTH);
  const scores = wanted.map((line, offset) => {
    const fileLine = lines[start + offset] ?? "";
    return fileLine === line ? 1.1 : similarity(pairsOf(line), pairsOf(fileLine));
  });
  const total = scores.reduce((sum, score) => sum + score, 0);
  const differing = wanted.findIndex((line, offset) => line !== lines[start + offset]);
  const place = { line: start + 1, text: cut(lines[start]), similarity: total / wanted.length };
  if (differing <= 0) return place;
  const at = start + differing;
  return { ...place, differs: { line: at + 1, text: cut(lines[at]), wanted: cut(wanted[differing]) } };
}

function withoutCr(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Returns the share of common letter pairs of two lines, from 0 to 1. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 1 : 0;
  return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().slice(0, MAX_LENGTH);
  const pairs = new Set<string>(text.length === 1 ? [text] : []);
  for (let at = 0; at < text.length - 1; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}
