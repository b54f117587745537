import type { Piece } from "./lexed.ts";

/** Collects the pieces of a word and joins adjacent text of the same kind. */
export type PieceList = ReturnType<typeof createPieceList>;

export function createPieceList() {
  const pieces: Piece[] = [];
  const addText = (text: string, isQuoted: boolean): void => {
    const last = pieces.at(-1);
    if (last?.kind === "text" && last.isQuoted === isQuoted)
      pieces[pieces.length - 1] = { kind: "text", text: last.text + text, isQuoted };
    else pieces.push({ kind: "text", text, isQuoted });
  };
  return {
    pieces,
    addQuoted: (text: string): void => addText(text, true),
    addPlain: (text: string): void => addText(text, false),
    add: (piece: Piece): void => void pieces.push(piece),
  };
}

/** Returns the text if the only piece is unquoted text. */
export function plainText(pieces: readonly Piece[]): string | undefined {
  const [first, ...more] = pieces;
  return first?.kind === "text" && !first.isQuoted && more.length === 0 ? first.text : undefined;
}

/** Returns all literal text in the pieces, without expansions. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
}
