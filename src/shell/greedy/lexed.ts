import type { Word } from "../../core/command.ts";

/** A part of a word, between quotes or not. */
export type Piece = TextPiece | VariablePiece | CodePiece | NumberPiece | ArrayPiece;

export interface TextPiece {
  readonly kind: "text";
  readonly text: string;
  readonly isQuoted: boolean;
}

/** `$name`, `${name:-operand}`. */
export interface VariablePiece {
  readonly kind: "variable";
  readonly name: string;
  readonly isQuoted: boolean;
  readonly isIndirect: boolean;
  /** What is between the brackets of `${name[subscript]}`. */
  readonly subscript?: string;
  /** `:-`, `#`, `/` and the like; empty where there is none. */
  readonly operator: string;
  readonly operand: readonly Piece[];
}

/** A substitution: what these commands print, or a file that stands for it. */
export interface CodePiece {
  readonly kind: "code";
  readonly code: Code;
  readonly isQuoted: boolean;
}

/** Arithmetic, or the length of something: a number that is not guessed. */
export interface NumberPiece {
  readonly kind: "number";
  readonly isQuoted: boolean;
}

/** What follows `name=` in `name=(a b)`. */
export interface ArrayPiece {
  readonly kind: "array";
  readonly items: readonly LexedWord[];
}

export interface LexedWord {
  readonly pieces: readonly Piece[];
  /** As it is written. */
  readonly source: string;
  /** Every substitution in it, however deep in its expansions. */
  readonly codes: readonly Code[];
  /** The word itself, where nothing in it is expanded. */
  readonly fixed?: readonly [Word];
}

export interface WordToken {
  readonly kind: "word";
  readonly word: LexedWord;
}

/** The body of a here-document, which is known only after the line that asks for it. */
export interface HereDocument {
  body: LexedWord;
}

export interface RedirectToken {
  readonly kind: "redirect";
  readonly operator: string;
  readonly target: LexedWord;
  readonly document?: HereDocument;
  /** It follows `}`, `done` and the like, and redirects all of what they close. */
  readonly isOfCompound: boolean;
}

/** `[[ … ]]` and `(( … ))`: they start no program themselves. */
export interface ConditionToken {
  readonly kind: "condition";
  readonly words: readonly LexedWord[];
  readonly codes: readonly Code[];
  /** The head of `for ((…))`. */
  readonly isLoopHead: boolean;
}

export interface MarkToken {
  readonly kind: "operator" | "keyword";
  readonly text: string;
}

export type Token = WordToken | RedirectToken | ConditionToken | MarkToken;

/** A text of commands, or the inside of a substitution, cut into tokens. */
export interface Code {
  readonly tokens: readonly Token[];
  readonly how: "text" | "substitution" | "process substitution";
}
