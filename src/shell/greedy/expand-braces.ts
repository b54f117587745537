import type { Piece } from "./lexed.ts";
import { createPieceList } from "./piece-list.ts";

/** Every alternative of a list is tried: each may be the one that matters. */
const MAX_RESULTS = 1024;
const MAX_BRACES = 16;
/** Of a sequence of numbers only the first are tried: they are all alike. */
const MAX_NUMBERS = 24;
const SEQUENCE = /^(-?\d{1,4}|[A-Za-z])\.\.(-?\d{1,4}|[A-Za-z])(?:\.\.(-?\d{1,4}))?$/;

/** A character of a word, or a piece that is not unquoted text. */
type Item = string | Piece;

/** Expands the braces of a word; returns the word itself if there are none, and undefined if there are too many results. */
export function expandBraces(pieces: readonly Piece[]): readonly (readonly Piece[])[] | undefined {
  if (!pieces.some((piece) => piece.kind === "text" && !piece.isQuoted && piece.text.includes("{")))
    return [pieces];
  const items = pieces.flatMap((piece): readonly Item[] =>
    piece.kind === "text" && !piece.isQuoted ? piece.text.split("") : [piece],
  );
  if (items.filter((item) => item === "{").length > MAX_BRACES) return undefined;
  const results = expand(items);
  if (results === undefined) return undefined;
  return results.length > 1 ? results.map(toPieces) : [pieces];
}

function toPieces(items: readonly Item[]): readonly Piece[] {
  const list = createPieceList();
  for (const item of items) {
    if (typeof item === "string") list.addPlain(item);
    else list.add(item);
  }
  return list.pieces;
}

function expand(items: readonly Item[]): readonly (readonly Item[])[] | undefined {
  for (let start = items.indexOf("{"); start >= 0; start = items.indexOf("{", start + 1)) {
    const braces = findAlternatives(items, start);
    if (braces === undefined) continue;
    const before = items.slice(0, start);
    const inner: (readonly Item[])[] = [];
    for (const alternative of braces.alternatives) {
      const more = expand(alternative);
      if (more === undefined) return undefined;
      inner.push(...more);
    }
    const after = expand(items.slice(braces.end));
    if (after === undefined || inner.length * after.length > MAX_RESULTS) return undefined;
    return inner.flatMap((middle) => after.map((rest) => [...before, ...middle, ...rest]));
  }
  return [items];
}

function findAlternatives(
  items: readonly Item[],
  start: number,
): { readonly alternatives: readonly (readonly Item[])[]; readonly end: number } | undefined {
  const alternatives: Item[][] = [[]];
  let open = 0;
  for (let at = start + 1; at < items.length; at += 1) {
    const item = items[at] ?? "";
    if (item === "{") open += 1;
    if (item === "}" && open === 0) return settle(alternatives, at + 1);
    if (item === "}") open -= 1;
    if (item === "," && open === 0) alternatives.push([]);
    else alternatives.at(-1)?.push(item);
  }
  return undefined;
}

function settle(alternatives: readonly Item[][], end: number): ReturnType<typeof findAlternatives> {
  if (alternatives.length > 1) return { alternatives, end };
  const inside = alternatives[0]?.every((item) => typeof item === "string") ? alternatives[0].join("") : "";
  const match = SEQUENCE.exec(inside);
  if (match === null) return undefined;
  return { alternatives: sequence(match[1] ?? "", match[2] ?? "", Number(match[3] ?? 1)), end };
}

function sequence(first: string, last: string, step: number): readonly (readonly Item[])[] {
  const isNumber = /\d/.test(first) && /\d/.test(last);
  const [from, to] = isNumber ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const size = Math.max(1, Math.abs(step || 1)) * (from <= to ? 1 : -1);
  const all = Math.floor(Math.abs(to - from) / Math.abs(size)) + 1;
  const count = isNumber ? Math.min(MAX_NUMBERS, all) : all;
  return Array.from({ length: count }, (_, index) => {
    const value = from + index * size;
    return (isNumber ? String(value) : String.fromCharCode(value)).split("");
  });
}
