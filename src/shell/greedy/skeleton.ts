import type { Code, Token } from "./lexed.ts";

const NEEDS_END: ReadonlySet<string> = new Set(["then", "do", "else", "elif", "fi", "done", "}", "esac"]);
const HAS_NO_END: ReadonlySet<string> = new Set(["then", "do", "else", "{", "in"]);

/**
 * Returns the commands as text in which all words between two operators are replaced by one name: `w` and the index of
 * the first token. The parser sees only the grammar, so quotes and expansions cannot mislead it.
 */
export function toSkeleton({ tokens }: Code): string {
  let skeleton = "";
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (needsSeparator(token, before)) skeleton += "; ";
    if (isEmptyList(token, before)) skeleton += "w ";
    const part = toPart(token, before, index);
    if (part !== "") skeleton += `${part} `;
  }
  return skeleton;
}

/** Returns the tokens that a part of the skeleton without keywords stands for. */
export function tokensOf(part: string, { tokens }: Code): readonly Token[] {
  const found: Token[] = [];
  for (let at = part.indexOf("w"); at >= 0; at = part.indexOf("w", at + 1)) {
    let index = Number.parseInt(part.slice(at + 1), 10);
    do {
      const token = tokens[index];
      if (token === undefined) break;
      found.push(token);
      index += 1;
    } while (continues(tokens[index], tokens[index - 1]));
  }
  return found;
}

function toPart(token: Token, before: Token | undefined, index: number): string {
  if (token.kind === "operator" || token.kind === "keyword") return token.text;
  if (token.kind === "condition" && token.isLoopHead) return "((;;))";
  if (token.kind === "redirect" && token.isOfCompound) return `>w${index}`;
  return continues(token, before) ? "" : `w${index}`;
}

/** Returns true if a token has the same name as the one before it. */
function continues(token: Token | undefined, before: Token | undefined): boolean {
  return isNamed(token) && isNamed(before);
}

function isNamed(token: Token | undefined): boolean {
  if (token === undefined || token.kind === "operator" || token.kind === "keyword") return false;
  return token.kind === "redirect" ? !token.isOfCompound : token.kind !== "condition" || !token.isLoopHead;
}

/** Shells accept `( a ) then` and `for a do`; the parser needs a separator. */
function needsSeparator(token: Token, before: Token | undefined): boolean {
  if (token.kind !== "keyword" || !NEEDS_END.has(token.text) || before === undefined) return false;
  if (before.kind === "operator") return before.text === ")";
  return before.kind !== "keyword" || !HAS_NO_END.has(before.text);
}

/** `for name in ;`. */
function isEmptyList(token: Token, before: Token | undefined): boolean {
  return (
    before?.kind === "keyword" && before.text === "in" && token.kind === "operator" && token.text === ";"
  );
}
