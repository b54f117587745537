import type { Code, Token } from "./lexed.ts";

const NEEDS_END: ReadonlySet<string> = new Set(["then", "do", "else", "elif", "fi", "done", "}", "esac"]);
const HAS_NO_END: ReadonlySet<string> = new Set(["then", "do", "else", "{", "in"]);

/**
 * The commands as text in which every word, with all that is quoted or expanded in it, is a name: `w` and the index of
 * its token. So a parser sees the grammar and nothing that it could mistake.
 */
export function toSkeleton({ tokens }: Code): string {
  const parts: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (wantsEndBefore(token, tokens[index - 1])) parts.push(";");
    if (isEmptyList(tokens, index)) parts.push("w");
    parts.push(toPart(token, index));
  }
  return parts.join(" ");
}

/** The tokens that a part of the skeleton stands for. */
export function tokensOf(part: string, { tokens }: Code): readonly Token[] {
  return [...part.matchAll(/w(\d+)/g)].flatMap(([, index]) => tokens[Number(index)] ?? []);
}

function toPart(token: Token, index: number): string {
  if (token.kind === "operator" || token.kind === "keyword") return token.text;
  if (token.kind === "condition" && token.isLoopHead) return "((;;))";
  return token.kind === "redirect" && token.isOfCompound ? `>w${index}` : `w${index}`;
}

/** A shell takes `( a ) then` and `for a do`; the parser wants something between. */
function wantsEndBefore(token: Token, before: Token | undefined): boolean {
  if (token.kind !== "keyword" || !NEEDS_END.has(token.text) || before === undefined) return false;
  if (before.kind === "operator") return before.text === ")";
  return before.kind !== "keyword" || !HAS_NO_END.has(before.text);
}

/** `for name in ;`. */
function isEmptyList(tokens: readonly Token[], index: number): boolean {
  const [before, token] = [tokens[index - 1], tokens[index]];
  return (
    before?.kind === "keyword" && before.text === "in" && token?.kind === "operator" && token.text === ";"
  );
}
