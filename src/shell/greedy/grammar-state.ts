/** What the grammar expects next; it determines which words are keywords. */
export type Expected =
  | "command"
  | "argument"
  | "after compound"
  | "loop variable"
  | "loop in"
  | "case word"
  | "case in"
  | "pattern"
  | "function name";

/** The state of the grammar while tokens are read. */
export interface GrammarState {
  expected: Expected;
  /** Open parentheses and `case`s, outermost first. */
  readonly open: ("(" | "case")[];
}

const OPENERS: ReadonlySet<string> = new Set(["if", "then", "else", "elif", "while", "until", "do", "{"]);
const CLOSERS: ReadonlySet<string> = new Set(["fi", "done", "}", "esac"]);
const CONTINUERS: ReadonlySet<string> = new Set(["then", "do", "else", "elif", "fi", "done", "}", "esac"]);

/** Advances by a word. Returns true if it is a keyword here. */
export function acceptWord(state: GrammarState, text: string | undefined): boolean {
  switch (state.expected) {
    case "command":
      return acceptFirst(state, text);
    case "after compound":
      return text !== undefined && CONTINUERS.has(text)
        ? acceptFirst(state, text)
        : expect(state, "argument", "word");
    case "loop variable":
      return expect(state, "loop in", "word");
    case "loop in":
      if (text === "do") return expect(state, "command", "keyword");
      return expect(state, "argument", text === "in" ? "keyword" : "word");
    case "case word":
      return expect(state, "case in", "word");
    case "case in":
      return expect(state, "pattern", text === "in" ? "keyword" : "word");
    case "pattern":
      return text === "esac" && acceptFirst(state, text);
    case "function name":
      return expect(state, "command", "word");
    default:
      return false;
  }
}

function acceptFirst(state: GrammarState, text: string | undefined): boolean {
  if (text === undefined) return expect(state, "argument", "word");
  if (OPENERS.has(text)) return expect(state, "command", "keyword");
  if (text === "esac" && state.open.at(-1) === "case") state.open.pop();
  if (CLOSERS.has(text)) return expect(state, "after compound", "keyword");
  if (text === "for" || text === "select") return expect(state, "loop variable", "keyword");
  if (text === "function") return expect(state, "function name", "keyword");
  if (text !== "case") return expect(state, "argument", "word");
  state.open.push("case");
  return expect(state, "case word", "keyword");
}

/** Advances by an operator other than a parenthesis. */
export function acceptOperator(state: GrammarState, text: string): void {
  if (text.startsWith(";") && text !== ";" && state.open.at(-1) === "case") state.expected = "pattern";
  else if (text === "|" && state.expected === "pattern") return;
  else if (text === "\n" && /^(?:loop in|case in|pattern)$/.test(state.expected)) return;
  else state.expected = "command";
}

/** Advances by an opening parenthesis and returns what it opens. */
export function openParenthesis(state: GrammarState): "subshell" | "pattern" | "misplaced" {
  if (state.expected === "pattern") return "pattern";
  const isFirst = state.expected === "command";
  state.open.push("(");
  state.expected = "command";
  return isFirst ? "subshell" : "misplaced";
}

/** Advances by a closing parenthesis and returns what it closes; `outside` if nothing is open here. */
export function closeParenthesis(state: GrammarState): "subshell" | "pattern" | "outside" | "misplaced" {
  const innermost = state.open.at(-1);
  if (innermost === undefined) return "outside";
  if (innermost === "(") {
    state.open.pop();
    state.expected = "after compound";
    return "subshell";
  }
  const isPattern = state.expected === "pattern";
  state.expected = "command";
  return isPattern ? "pattern" : "misplaced";
}

/** Returns true if the word that was accepted is a keyword. */
function expect(state: GrammarState, expected: Expected, accepted: "keyword" | "word"): boolean {
  state.expected = expected;
  return accepted === "keyword";
}
