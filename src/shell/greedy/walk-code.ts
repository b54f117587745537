import type { Word } from "../../core/command.ts";
import { UNKNOWN_TEXT, unknownText } from "../syntax/printed-text.ts";
import { eitherFolder, stay, type Outcome } from "../syntax/follow-cd.ts";
import { addCommand } from "./add-command.ts";
import { addScripts, inputOf, outputOf, wordsOf } from "./add-scripts.ts";
import { doubt, type Collected, type Origin } from "./collected.ts";
import type { Code, Token } from "./lexed.ts";
import { textOf } from "./piece-list.ts";
import { recordRead } from "./record-read.ts";
import { parseTokens, type SyntaxNode } from "./parse-tokens.ts";

/** The state of walking the tree of a text. */
interface Walk {
  readonly code: Code;
  readonly via: readonly string[];
  readonly collected: Collected;
  /** What the surrounding compound command reads on standard input. */
  readonly input?: Word | undefined;
  /** The tokens visited so far. */
  readonly seen: Set<Token>;
}

/**
 * Adds every command in the tokens and their substitutions, and returns the folders of the shell after them. If parsing
 * fails, records a fault and treats everything between two operators as a command.
 */
export function walkCode(code: Code, origin: Origin, collected: Collected): Outcome {
  const walk: Walk = { code, via: origin.via, collected, seen: new Set() };
  if (code.tokens.length === 0) return stay(origin.cwds);
  for (const token of code.tokens) {
    if (token.kind === "condition" && token.isLoopHead) walkCodes(token.codes, origin.cwds, walk);
  }
  if (!code.tokens.some(isMarkToken)) return runCommand(code.tokens, origin.cwds, walk);
  const tree = parseTokens(code);
  if (tree === undefined) collected.findings.fault ??= "its syntax is not understood";
  else {
    const outcome = visit(tree, origin.cwds, walk);
    if (code.tokens.every((token) => isMarkToken(token) || walk.seen.has(token))) return outcome;
    collected.findings.fault ??= "the parser skipped part of it";
  }
  return walkRuns(walk);
}

function isMarkToken(token: Token): boolean {
  return (
    token.kind === "operator" || token.kind === "keyword" || (token.kind === "condition" && token.isLoopHead)
  );
}

function walkRuns(walk: Walk): Outcome {
  let run: Token[] = [];
  for (const token of [...walk.code.tokens, { kind: "operator", text: ";" } as const]) {
    if (token.kind !== "operator" && token.kind !== "keyword") run.push(token);
    else if (run.length > 0) {
      runCommand(run, [], walk);
      run = [];
    }
  }
  return stay([]);
}

function walkCodes(codes: readonly Code[], cwds: readonly string[], walk: Walk): void {
  for (const code of codes) {
    walkCode(code, { cwds, via: [...walk.via, code.how] }, walk.collected);
  }
}

/** Walks the substitutions in the tokens, then adds the command they form. */
function runCommand(
  tokens: readonly Token[],
  cwds: readonly string[],
  walk: Walk,
  piped: Word | undefined = walk.input,
): Outcome {
  for (const token of tokens) walkCodes(codesOf(token), cwds, walk);
  const origin = { cwds, via: walk.via };
  const input = inputOf(tokens, piped, walk.collected);
  recordRead(tokens, input, walk.collected);
  addScripts(tokens, piped, origin, walk.collected);
  return addCommand(tokens, origin, walk.collected, input);
}

function codesOf(token: Token): readonly Code[] {
  if (token.kind === "word") return token.word.codes;
  if (token.kind === "redirect") return [...token.target.codes, ...(token.document?.body.codes ?? [])];
  return token.kind === "condition" ? token.codes : [];
}

type Visit = (node: SyntaxNode, cwds: readonly string[], walk: Walk) => Outcome;

/** The visitors by node type; other nodes are visited child by child. */
const VISITS: Readonly<Partial<Record<SyntaxNode["type"], Visit>>> = {
  command: visitCommand,
  redirect: visitCommand,
  word: visitWord,
  list: visitList,
  pipeline: visitPipeline,
  subshell: visitSubshell,
  if: visitIf,
  elif: visitIf,
  loop: visitLoop,
  case: visitCase,
  function: visitFunction,
};

function visit(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  const visitor = VISITS[node.type] ?? visitChildren;
  if (!node.children.some(isInput)) return visitor(node, cwds, walk);
  const redirects = node.children.filter(isInput).flatMap(({ tokens }) => tokens);
  // A command in it reads only a part of the text.
  const { text, guess = "" } = inputOf(redirects, undefined, walk.collected) ?? UNKNOWN_TEXT;
  return visitor(node, cwds, { ...walk, input: unknownText(`${text}\n${guess}`.trim()) });
}

function visitChildren({ children }: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  return visitAll(children, cwds, walk);
}

/** Returns true for the redirect that a compound command reads: `done < file`. */
function isInput({ type, tokens }: SyntaxNode): boolean {
  return (
    type === "redirect" && tokens.some((token) => token.kind === "redirect" && token.operator.startsWith("<"))
  );
}

function visitCommand(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  return runCommand(tokensAt(node, walk), cwds, walk);
}

function visitSubshell(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  visitAll(node.children, cwds, walk);
  return stay(cwds);
}

function tokensAt({ tokens }: SyntaxNode, { seen }: Walk): readonly Token[] {
  for (const token of tokens) seen.add(token);
  return tokens;
}

/** Visits a word outside a command: in the list of a loop or in a `case`. */
function visitWord(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  for (const token of tokensAt(node, walk)) walkCodes(codesOf(token), cwds, walk);
  return stay(cwds);
}

/** Visits nodes in sequence. */
function visitAll(nodes: readonly SyntaxNode[], cwds: readonly string[], walk: Walk): Outcome {
  let outcome = stay(cwds);
  for (const [index, node] of nodes.entries()) {
    if (node.type === "&" || node.type === "then") continue;
    const before = eitherFolder(outcome.ok, outcome.failed);
    const after = visit(node, before, walk);
    // In the background it does not change the folder of this shell.
    outcome = nodes[index + 1]?.type === "&" ? stay(before) : after;
  }
  return outcome;
}

/** Visits `a && b || c`: commands, with an operator between two. */
function visitList(
  { children: [first, ...links] }: SyntaxNode,
  cwds: readonly string[],
  walk: Walk,
): Outcome {
  let outcome = first === undefined ? stay(cwds) : visit(first, cwds, walk);
  for (const [index, right] of links.entries()) {
    if (index % 2 === 0) continue;
    const isAnd = links[index - 1]?.type === "&&";
    const next = visit(right, isAnd ? outcome.ok : outcome.failed, walk);
    outcome = isAnd
      ? { ok: next.ok, failed: eitherFolder(outcome.failed, next.failed) }
      : { ok: eitherFolder(outcome.ok, next.ok), failed: next.failed };
  }
  return outcome;
}

/** Each part runs in its own shell and reads the output of the previous one. */
function visitPipeline(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  let piped = walk.input;
  const last = node.children.at(-1);
  for (const part of node.children) {
    const tokens = part.type === "command" ? tokensAt(part, walk) : undefined;
    if (tokens === undefined) visit(part, cwds, { ...walk, input: piped });
    else runCommand(tokens, cwds, walk, piped);
    if (part === last) break;
    piped =
      tokens === undefined
        ? unknownText(wordsBelow(part, walk.collected))
        : outputOf(tokens, piped, walk.collected);
  }
  return stay(cwds);
}

/** Returns the words in a compound command, which it may print. */
function wordsBelow({ tokens, children }: SyntaxNode, collected: Collected): string {
  const texts: string[] = [];
  for (const { text } of wordsOf(tokens, collected)) texts.push(text);
  for (const child of children) texts.push(wordsBelow(child, collected));
  return texts.join("\n");
}

function visitIf(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  const then = node.children.findIndex(({ type }) => type === "then");
  const condition = visitAll(node.children.slice(0, then), cwds, walk);
  const isBranch = ({ type }: SyntaxNode): boolean => type === "elif" || type === "else";
  const rest = node.children.slice(then + 1);
  const done = visitAll(
    rest.filter((child) => !isBranch(child)),
    condition.ok,
    walk,
  );
  let end = eitherFolder(eitherFolder(done.ok, done.failed), condition.failed);
  for (const branch of rest.filter(isBranch)) {
    const { ok, failed } = visit(branch, end, walk);
    end = eitherFolder(end, eitherFolder(ok, failed));
  }
  return stay(end);
}

/** If the body may change the folder, the folder of its second run is unknown. */
function visitLoop(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  const isStill = !walk.collected.findings.moves;
  visitAll(node.children, isStill ? cwds : [], walk);
  return stay(isStill ? cwds : []);
}

function visitCase(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  let end = cwds;
  for (const child of node.children) {
    const { ok, failed } = visit(child, child.type === "case item" ? end : cwds, walk);
    end = eitherFolder(end, eitherFolder(ok, failed));
  }
  return stay(end);
}

/** The body runs wherever the function is called, and its name no longer refers to a program. */
function visitFunction(node: SyntaxNode, cwds: readonly string[], walk: Walk): Outcome {
  const [head, ...body] = node.children;
  const [name] = head === undefined ? [] : tokensAt(head, walk);
  const text = name?.kind === "word" ? textOf(name.word.pieces) : "";
  doubt(walk.collected, `a function redefines ${text}`);
  const isStill = !walk.collected.findings.moves;
  const inside = { ...walk, via: [...walk.via, "function"], input: UNKNOWN_TEXT };
  visitAll(body, isStill ? cwds : [], inside);
  return stay(isStill ? cwds : []);
}
