import type { Token } from "./lexed.ts";

const MAX_DEPTH = 250;

/** The state of parsing a text. */
export interface Parse {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
}

/** Thrown where the tokens are not a program. */
export class BrokenSyntax extends Error {}

/** Reads what is inside a compound command. Throws if it is nested too deeply. */
export function nested<T>(parse: Parse, read: () => T): T {
  parse.depth += 1;
  if (parse.depth > MAX_DEPTH) throw new BrokenSyntax();
  const node = read();
  parse.depth -= 1;
  return node;
}

/** Reads the tokens of a command: everything up to the next operator or keyword. */
export function commandTokens(parse: Parse): readonly Token[] {
  const start = parse.at;
  while (isOfCommand(parse.tokens[parse.at])) parse.at += 1;
  if (parse.at === start) throw new BrokenSyntax();
  return parse.tokens.slice(start, parse.at);
}

/** Returns true if a token is part of a command: not an operator, a keyword or the redirect of a compound command. */
export function isOfCommand(token: Token | undefined): boolean {
  if (token === undefined || token.kind === "operator" || token.kind === "keyword") return false;
  return token.kind === "redirect" ? !token.isOfCompound : token.kind !== "condition" || !token.isLoopHead;
}

/** Reads a word. */
export function word(parse: Parse): Token {
  const token = parse.tokens[parse.at];
  if (token?.kind !== "word") throw new BrokenSyntax();
  parse.at += 1;
  return token;
}

export function skipLineEnds(parse: Parse): void {
  while (isOperator(parse, "\n")) parse.at += 1;
}

export function isOperator({ tokens, at }: Parse, text: string): boolean {
  const token = tokens[at];
  return token?.kind === "operator" && token.text === text;
}

export function isKeyword({ tokens, at }: Parse, text: string): boolean {
  const token = tokens[at];
  return token?.kind === "keyword" && token.text === text;
}

/** Reads an operator or a keyword. Returns false if another token is next. */
export function take(parse: Parse, text: string): boolean {
  if (!isOperator(parse, text) && !isKeyword(parse, text)) return false;
  parse.at += 1;
  return true;
}

/** Reads an operator or a keyword. Throws if another token is next. */
export function expect(parse: Parse, text: string): void {
  if (!take(parse, text)) throw new BrokenSyntax();
}
