import type { RequestSummary } from "../traffic/summaries.ts";
import { NUMBER_FIELDS, NUMBER_OPERATORS, TEXT_FIELDS, TEXT_OPERATORS, urlOf } from "./fields.ts";
import { compileWildcard, type TextMatch } from "./wildcard.ts";

/** Returns true if a request matches. */
export type RequestFilter = (request: RequestSummary) => boolean;

/** A mistake in a filter. */
export interface FilterProblem {
  /** Where it is, from 1. */
  readonly column: number;
  readonly expected: string;
  readonly got: string;
}

const MAX_DEPTH = 50;
const TOKEN =
  /\s*(?:(\()|(\))|"((?:[^"\\]|\\.)*)"|([A-Za-z_]+(?:\.[A-Za-z_]+)*)(?::("(?:[^"\\]|\\.)*"|[^\s()"]*))?|(\S))/gsy;

interface Token {
  readonly kind: "(" | ")" | "text" | "word" | "term" | "other" | "end";
  readonly column: number;
  readonly text: string;
  readonly value: string;
  readonly valueColumn: number;
}

/**
 * Parses a filter of requests: terms such as `req.method.eq:"POST"` or `resp.code.gte:400`, and texts in quotes that the URL contains,
 * joined by AND, OR, NOT and parentheses. Text is compared without regard to case.
 */
export function parseFilter(text: string): RequestFilter | FilterProblem {
  const tokens = tokensOf(text);
  let at = 0;
  const end: Token = { kind: "end", column: text.length + 1, text: "", value: "", valueColumn: 0 };
  const next = (): Token => tokens[at] ?? end;
  const isKeyword = (word: string): boolean => next().kind === "word" && next().text.toUpperCase() === word;
  const parseAll = (keyword: string, parse: () => RequestFilter): readonly RequestFilter[] => {
    const parts = [parse()];
    while (isKeyword(keyword)) {
      at += 1;
      parts.push(parse());
    }
    return parts;
  };
  const parseOr = (depth: number): RequestFilter => {
    const parts = parseAll("OR", () => parseAnd(depth));
    return (request) => parts.some((matches) => matches(request));
  };
  const parseAnd = (depth: number): RequestFilter => {
    const parts = parseAll("AND", () => parseNot(depth));
    return (request) => parts.every((matches) => matches(request));
  };
  const parseNot = (depth: number): RequestFilter => {
    const token = next();
    if (depth > MAX_DEPTH) throw problem(token, `at most ${MAX_DEPTH} levels`);
    at += 1;
    if (token.kind === "word" && token.text.toUpperCase() === "NOT") {
      const negated = parseNot(depth + 1);
      return (request) => !negated(request);
    }
    if (token.kind !== "(") return compileTerm(token);
    const inner = parseOr(depth + 1);
    if (next().kind !== ")") throw problem(next(), 'AND, OR or ")"');
    at += 1;
    return inner;
  };
  try {
    const filter = parseOr(0);
    if (next().kind !== "end") throw problem(next(), "AND or OR");
    return filter;
  } catch (error) {
    if (error instanceof Misplaced) return error.problem;
    throw error;
  }
}

class Misplaced extends Error {
  readonly problem: FilterProblem;

  constructor(found: FilterProblem) {
    super(found.expected);
    this.problem = found;
  }
}

function problem(
  { column, kind, text }: Pick<Token, "column" | "kind" | "text">,
  expected: string,
): Misplaced {
  return new Misplaced({ column, expected, got: kind === "end" ? "the end" : JSON.stringify(text) });
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [whole, open, close, quoted, word, value, other] = match;
    const trimmed = whole.trimStart();
    const column = match.index + whole.length - trimmed.length + 1;
    const common = { column, text: trimmed, value: "", valueColumn: column };
    if (open !== undefined) tokens.push({ ...common, kind: "(" });
    else if (close !== undefined) tokens.push({ ...common, kind: ")" });
    else if (quoted !== undefined) tokens.push({ ...common, kind: "text", value: unescaped(quoted) });
    else if (other !== undefined) tokens.push({ ...common, kind: "other" });
    else if (value === undefined) tokens.push({ ...common, kind: "word", text: word ?? "" });
    else {
      const plain = value.startsWith('"') ? unescaped(value.slice(1, -1)) : value;
      const valueColumn = column + (word ?? "").length + 1;
      tokens.push({ ...common, kind: "term", text: word ?? "", value: plain, valueColumn });
    }
  }
  return tokens;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, "$1");
}

const FIELDS = [...Object.keys(TEXT_FIELDS), ...Object.keys(NUMBER_FIELDS)];

function compileTerm(token: Token): RequestFilter {
  if (token.kind === "text") {
    const wanted = token.value.toLowerCase();
    return (request) => urlOf(request).toLowerCase().includes(wanted);
  }
  if (token.kind !== "term")
    throw problem(token, 'a term such as req.method.eq:"POST", a text in quotes, NOT or "("');
  const dot = token.text.lastIndexOf(".");
  const [name, operator] = [token.text.slice(0, dot), token.text.slice(dot + 1)];
  const here = { ...token, column: token.column + dot + 1, text: operator };
  const text = Object.hasOwn(TEXT_FIELDS, name) ? TEXT_FIELDS[name] : undefined;
  const number = Object.hasOwn(NUMBER_FIELDS, name) ? NUMBER_FIELDS[name] : undefined;
  if (text !== undefined) {
    const matches = compileText(operator, token.value.toLowerCase());
    if (matches === undefined) throw problem(here, `an operator for text: ${TEXT_OPERATORS.join(", ")}`);
    return (request) => matches(text(request).toLowerCase());
  }
  if (number === undefined)
    throw problem({ ...token, text: name || token.text }, `a field: ${FIELDS.join(", ")}`);
  const compare = compileNumber(operator, Number(token.value));
  if (compare === undefined) throw problem(here, `an operator for numbers: ${NUMBER_OPERATORS.join(", ")}`);
  if (token.value.trim() === "" || Number.isNaN(Number(token.value)))
    throw problem({ ...token, column: token.valueColumn, text: token.value }, `a number for ${name}`);
  return (request) => compare(number(request));
}

const NEGATED: Readonly<Record<string, string>> = { ne: "eq", ncont: "cont", nlike: "like" };

function compileText(operator: string, value: string): TextMatch | undefined {
  const positive = new Map<string, TextMatch>([
    ["eq", (text) => text === value],
    ["cont", (text) => text.includes(value)],
    ["like", compileWildcard(value, "%")],
  ]);
  const negated = Object.hasOwn(NEGATED, operator) ? positive.get(NEGATED[operator] ?? "") : undefined;
  return negated === undefined ? positive.get(operator) : (text) => !negated(text);
}

function compileNumber(operator: string, value: number): ((own: number) => boolean) | undefined {
  return new Map<string, (own: number) => boolean>([
    ["eq", (own) => own === value],
    ["ne", (own) => own !== value],
    ["gt", (own) => own > value],
    ["gte", (own) => own >= value],
    ["lt", (own) => own < value],
    ["lte", (own) => own <= value],
  ]).get(operator);
}
