import type { Word } from "../../core/command.ts";

/** A part of a word, quoted or not. */
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
  /** The text between the brackets of `${name[subscript]}`. */
  readonly subscript?: string;
  /** `:-`, `#`, `/` and so on; empty if there is none. */
  readonly operator: string;
  readonly operand: readonly Piece[];
}

/** A command or process substitution. */
export interface CodePiece {
  readonly kind: "code";
  readonly code: Code;
  readonly isQuoted: boolean;
}

/** Arithmetic or a length: a number that is not guessed. */
export interface NumberPiece {
  readonly kind: "number";
  readonly isQuoted: boolean;
}

/** The list after `name=` in `name=(a b)`. */
export interface ArrayPiece {
  readonly kind: "array";
  readonly items: readonly LexedWord[];
}

export interface LexedWord {
  readonly pieces: readonly Piece[];
  /** As written. */
  readonly source: string;
  /** All substitutions in it, including nested ones. */
  readonly codes: readonly Code[];
  /** The word itself, if nothing in it is expanded. */
  readonly fixed?: readonly [Word];
}

export interface WordToken {
  readonly kind: "word";
  readonly word: LexedWord;
}

/** The body of a here-document, which follows the line that declares it. */
export interface HereDocument {
  body: LexedWord;
}

export interface RedirectToken {
  readonly kind: "redirect";
  readonly operator: string;
  readonly target: LexedWord;
  readonly document?: HereDocument;
  /** It follows `}`, `done` and so on, and redirects the whole compound command. */
  readonly isOfCompound: boolean;
}

/** `[[ … ]]` or `(( … ))`, which start no program themselves. */
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

/** The tokens of a text of commands or of a substitution. */
export interface Code {
  readonly tokens: readonly Token[];
  readonly how: "text" | "substitution" | "process substitution";
}
