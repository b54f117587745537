/** Why a text is not proven; shown to the user. */
export interface Doubt {
  readonly doubt: string;
}

/** A part of the text and the index after it. */
interface Span {
  readonly end: number;
}

export interface WordToken extends Span {
  readonly kind: "word";
  /** Without its quotes and escapes. */
  readonly text: string;
  /** It contains an unquoted `{` or `}` that no shell expands. */
  readonly hasBrace: boolean;
  /** It begins with an unquoted `NAME=`. */
  readonly isAssignment: boolean;
  /** What a shell expands in it: names of files, or the value of a variable. */
  readonly expands?: "glob" | "variable";
}

/** The next word is the file. */
export interface RedirectToken extends Span {
  readonly kind: "redirect";
  readonly access: "read" | "write";
}

/** `2>&1`, or the beginning of a here-document. */
export interface RewireToken extends Span {
  readonly kind: "rewire";
  /** The line that ends the here-document, whose body begins after this line. */
  readonly delimiter?: string;
  /** The body of the here-document, which nothing expands. */
  readonly body?: string;
}

export type Separator = ";" | "&" | "&&" | "||" | "|" | "\n";

export interface SeparatorToken extends Span {
  readonly kind: "separator";
  readonly text: Separator;
}

export type Token = WordToken | RedirectToken | RewireToken | SeparatorToken;
