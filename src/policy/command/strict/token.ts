/** Why a text is not proven, for people. */
export interface Doubt {
  readonly doubt: string;
}

export interface WordToken {
  readonly kind: "word";
  readonly text: string;
  /** Any part of it was quoted or escaped. */
  readonly isQuoted: boolean;
  /** It has a `{` or `}` that is not quoted, and that no shell expands. */
  readonly hasBrace: boolean;
  /** Length of an unquoted `NAME=` at its beginning; 0 where there is none. */
  readonly nameLength: number;
}

/** The next word is the file. */
export interface RedirectToken {
  readonly kind: "redirect";
  readonly access: "read" | "write";
}

/** `2>&1`, or a here-document. */
export interface RewireToken {
  readonly kind: "rewire";
  readonly isDocument: boolean;
}

export type Separator = ";" | "&" | "&&" | "||" | "|" | "\n";

export interface SeparatorToken {
  readonly kind: "separator";
  readonly text: Separator;
}

export type Token = WordToken | RedirectToken | RewireToken | SeparatorToken;

/** Something read, and where what comes after it begins. */
export interface Piece<T> {
  readonly value: T;
  readonly end: number;
}
