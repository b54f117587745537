import type { Piece } from "./lexed.ts";

/** Collects the pieces of a word; text next to text of the same kind becomes one piece. */
export interface PieceList {
  readonly pieces: Piece[];
  addText(text: string, isQuoted: boolean): void;
  add(piece: Piece): void;
}

export function createPieceList(): PieceList {
  const pieces: Piece[] = [];
  return {
    pieces,
    addText(text, isQuoted) {
      const last = pieces.at(-1);
      if (last?.kind !== "text" || last.isQuoted !== isQuoted) {
        pieces.push({ kind: "text", text, isQuoted });
        return;
      }
      pieces[pieces.length - 1] = { kind: "text", text: last.text + text, isQuoted };
    },
    add: (piece) => void pieces.push(piece),
  };
}

/** The text of pieces that are nothing but unquoted text; undefined for any other. */
export function plainText(pieces: readonly Piece[]): string | undefined {
  const [first, ...more] = pieces;
  return first?.kind === "text" && !first.isQuoted && more.length === 0 ? first.text : undefined;
}

/** All text in the pieces, quoted or not, without what is expanded. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
}
