import type { Code, RedirectToken, Token } from "./lexed.ts";
import {
  BrokenSyntax,
  commandTokens,
  isOfCommand,
  word,
  skipLineEnds,
  isOperator,
  isKeyword,
  take,
  expect,
  nested,
  type Parse,
} from "./token-cursor.ts";

/** A node of a syntax tree. `&` and `then` are nodes of their own; other operators and keywords are left out. */
export interface SyntaxNode {
  readonly type: NodeType;
  /** The tokens of a command, a word or a redirect. */
  readonly tokens: readonly Token[];
  readonly children: readonly SyntaxNode[];
}

type NodeType =
  | "program"
  | "command"
  | "word"
  | "redirect"
  | "redirected"
  | "list"
  | "pipeline"
  | "subshell"
  | "group"
  | "if"
  | "elif"
  | "else"
  | "loop"
  | "case"
  | "case item"
  | "function"
  | "&&"
  | "||"
  | "&"
  | "then";

const CASE_ENDS: ReadonlySet<string> = new Set([";;", ";&", ";;&"]);

/**
 * Parses the grammar of a shell: lists, pipelines and compound commands. The tokens say which words are keywords. Returns
 * undefined if bash would not accept the tokens, or if they are nested too deeply.
 */
export function parseTokens({ tokens }: Code): SyntaxNode | undefined {
  const parse: Parse = { tokens, at: 0, depth: 0 };
  try {
    const children = statements(parse);
    return parse.at === tokens.length ? node("program", children) : undefined;
  } catch (error) {
    if (error instanceof BrokenSyntax) return undefined;
    throw error;
  }
}

function node(type: NodeType, children: readonly SyntaxNode[] = []): SyntaxNode {
  return { type, tokens: [], children };
}

function leaf(type: NodeType, tokens: readonly Token[]): SyntaxNode {
  return { type, tokens, children: [] };
}

/** Reads commands up to a token that cannot begin one. */
function statements(parse: Parse): SyntaxNode[] {
  const commands: SyntaxNode[] = [];
  skipLineEnds(parse);
  while (beginsCommand(parse)) {
    commands.push(list(parse));
    if (take(parse, "&")) commands.push(node("&"));
    else if (!take(parse, ";") && !isOperator(parse, "\n")) break;
    skipLineEnds(parse);
  }
  return commands;
}

/** Reads at least one command, as every part of a compound command must have. */
function block(parse: Parse): SyntaxNode[] {
  const commands = nested(parse, () => statements(parse));
  if (commands.length === 0) throw new BrokenSyntax();
  return commands;
}

const OPENERS: ReadonlySet<string> = new Set("{ if while until for select case function".split(" "));

function beginsCommand(parse: Parse): boolean {
  const token = parse.tokens[parse.at];
  if (token?.kind === "keyword") return OPENERS.has(token.text);
  return token?.kind === "operator" ? token.text === "(" : isOfCommand(token);
}

/** Reads `a && b || c`. */
function list(parse: Parse): SyntaxNode {
  const children = [pipeline(parse)];
  for (;;) {
    const operator = (["&&", "||"] as const).find((text) => take(parse, text));
    if (operator === undefined) break;
    skipLineEnds(parse);
    children.push(node(operator), pipeline(parse));
  }
  return alone(children) ?? node("list", children);
}

/** Reads `a | b |& c`. */
function pipeline(parse: Parse): SyntaxNode {
  const children = [command(parse)];
  while (take(parse, "|") || take(parse, "|&")) {
    skipLineEnds(parse);
    children.push(command(parse));
  }
  return alone(children) ?? node("pipeline", children);
}

function alone([first, ...rest]: readonly SyntaxNode[]): SyntaxNode | undefined {
  return rest.length === 0 ? first : undefined;
}

/** Reads a simple or compound command and the redirects behind a compound one. */
function command(parse: Parse): SyntaxNode {
  const parsed = compound(parse) ?? simple(parse);
  const redirects: SyntaxNode[] = [];
  for (let token = parse.tokens[parse.at]; isOfCompound(token); token = parse.tokens[parse.at]) {
    redirects.push(leaf("redirect", [token]));
    parse.at += 1;
  }
  return redirects.length === 0 ? parsed : node("redirected", [...redirects, parsed]);
}

function isOfCompound(token: Token | undefined): token is RedirectToken {
  return token?.kind === "redirect" && token.isOfCompound;
}

/** Reads a command without keywords, or a function that is defined without one. */
function simple(parse: Parse): SyntaxNode {
  const tokens = commandTokens(parse);
  // Behind `[[ … ]]` and `((…))` only redirects may follow.
  if (tokens[0]?.kind === "condition" && tokens.length > 1) throw new BrokenSyntax();
  if (!isOperator(parse, "(")) return leaf("command", tokens);
  if (tokens.length > 1) throw new BrokenSyntax();
  return functionBody(parse, tokens);
}

/** Returns undefined if no compound command begins here. */
function compound(parse: Parse): SyntaxNode | undefined {
  const token = parse.tokens[parse.at];
  if (token?.kind === "operator" && token.text === "(") return enclosed(parse, "subshell", ")");
  if (token?.kind !== "keyword") return undefined;
  if (token.text === "{") return enclosed(parse, "group", "}");
  parse.at += 1;
  if (token.text === "if") return node("if", branches(parse));
  if (token.text === "while" || token.text === "until")
    return node("loop", [...block(parse), ...body(parse)]);
  if (token.text === "for" || token.text === "select")
    return node("loop", [...loopHead(parse), ...body(parse, { mayHaveBraces: true })]);
  if (token.text === "case") return choice(parse);
  if (token.text === "function") return functionBody(parse, [word(parse)]);
  throw new BrokenSyntax();
}

function enclosed(parse: Parse, type: NodeType, closer: string): SyntaxNode {
  parse.at += 1;
  const children = block(parse);
  expect(parse, closer);
  return node(type, children);
}

/** Reads what follows `if`, up to `fi`. Branches are siblings, so that a long chain is not deep. */
function branches(parse: Parse): SyntaxNode[] {
  const children = branch(parse);
  while (take(parse, "elif")) children.push(node("elif", branch(parse)));
  if (take(parse, "else")) children.push(node("else", block(parse)));
  expect(parse, "fi");
  return children;
}

function branch(parse: Parse): SyntaxNode[] {
  const condition = block(parse);
  expect(parse, "then");
  return [...condition, node("then"), ...block(parse)];
}

/** Reads the name and the words of `for` and `select`, or `((…))`. */
function loopHead(parse: Parse): SyntaxNode[] {
  const token = parse.tokens[parse.at];
  if (token?.kind === "condition" && token.isLoopHead) {
    parse.at += 1;
    endOfHead(parse);
    return [];
  }
  const children = [leaf("word", [word(parse)])];
  if (!take(parse, "in")) {
    endOfHead(parse);
    return children;
  }
  if (isOfCommand(parse.tokens[parse.at])) children.push(leaf("word", commandTokens(parse)));
  if (!isOperator(parse, ";") && !isOperator(parse, "\n")) throw new BrokenSyntax();
  endOfHead(parse);
  return children;
}

function endOfHead(parse: Parse): void {
  take(parse, ";");
  skipLineEnds(parse);
}

/** Reads the body of a loop; that of `for` and `select` may be in braces. */
function body(
  parse: Parse,
  { mayHaveBraces = false }: { readonly mayHaveBraces?: boolean } = {},
): SyntaxNode[] {
  const hasBraces = mayHaveBraces && take(parse, "{");
  if (!hasBraces) expect(parse, "do");
  const children = block(parse);
  expect(parse, hasBraces ? "}" : "done");
  return children;
}

/** Reads what follows `case`. */
function choice(parse: Parse): SyntaxNode {
  const children = [leaf("word", [word(parse)])];
  skipLineEnds(parse);
  expect(parse, "in");
  skipLineEnds(parse);
  while (!take(parse, "esac")) {
    children.push(caseItem(parse));
    skipLineEnds(parse);
  }
  return node("case", children);
}

function caseItem(parse: Parse): SyntaxNode {
  take(parse, "(");
  const patterns = [leaf("word", [word(parse)])];
  while (take(parse, "|")) patterns.push(leaf("word", [word(parse)]));
  expect(parse, ")");
  const commands = nested(parse, () => statements(parse));
  const isEnded = [...CASE_ENDS].some((text) => take(parse, text));
  if (!isEnded && !isKeyword(parse, "esac")) throw new BrokenSyntax();
  return node("case item", [...patterns, ...commands]);
}

/** Reads `()`, if it is there, and a compound command. */
function functionBody(parse: Parse, name: readonly Token[]): SyntaxNode {
  if (name[0]?.kind !== "word") throw new BrokenSyntax();
  if (take(parse, "(")) expect(parse, ")");
  skipLineEnds(parse);
  const first = parse.tokens[parse.at];
  if (first?.kind === "word" || first?.kind === "redirect") throw new BrokenSyntax();
  return node("function", [leaf("word", name), nested(parse, () => command(parse))]);
}
