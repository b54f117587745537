/** What the grammar expects next, as far as it decides which words are keywords. */
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

/** Where in the grammar a reading of tokens is. */
export interface GrammarPlace {
  expected: Expected;
  /** Parentheses and `case`s that are open, outermost first. */
  readonly open: ("(" | "case")[];
}

const OPENERS: ReadonlySet<string> = new Set(["if", "then", "else", "elif", "while", "until", "do", "{"]);
const CLOSERS: ReadonlySet<string> = new Set(["fi", "done", "}", "esac"]);
const CONTINUERS: ReadonlySet<string> = new Set(["then", "do", "else", "elif", "fi", "done", "}", "esac"]);

/** Takes note of a word; true where it is a keyword there. */
export function passWord(place: GrammarPlace, text: string | undefined): boolean {
  switch (place.expected) {
    case "command":
      return passFirst(place, text);
    case "after compound":
      return text !== undefined && CONTINUERS.has(text)
        ? passFirst(place, text)
        : expect(place, "argument", false);
    case "loop variable":
      return expect(place, "loop in", false);
    case "loop in":
      if (text === "do") return expect(place, "command", true);
      return expect(place, "argument", text === "in");
    case "case word":
      return expect(place, "case in", false);
    case "case in":
      return expect(place, "pattern", text === "in");
    case "pattern":
      return text === "esac" && passFirst(place, text);
    case "function name":
      return expect(place, "command", false);
    default:
      return false;
  }
}

function passFirst(place: GrammarPlace, text: string | undefined): boolean {
  if (text === undefined) return expect(place, "argument", false);
  if (OPENERS.has(text)) return expect(place, "command", true);
  if (text === "esac" && place.open.at(-1) === "case") place.open.pop();
  if (CLOSERS.has(text)) return expect(place, "after compound", true);
  if (text === "for" || text === "select") return expect(place, "loop variable", true);
  if (text === "function") return expect(place, "function name", true);
  if (text !== "case") return expect(place, "argument", false);
  place.open.push("case");
  return expect(place, "case word", true);
}

/** Takes note of an operator other than a parenthesis. */
export function passOperator(place: GrammarPlace, text: string): void {
  if (text.startsWith(";") && text !== ";" && place.open.at(-1) === "case") place.expected = "pattern";
  else if (text === "|" && place.expected === "pattern") return;
  else if (text === "\n" && /^(?:loop in|case in|pattern)$/.test(place.expected)) return;
  else place.expected = "command";
}

/** What an opening parenthesis does at this place. */
export function passOpen(place: GrammarPlace): "subshell" | "pattern" | "misplaced" {
  if (place.expected === "pattern") return "pattern";
  const isFirst = place.expected === "command";
  place.open.push("(");
  place.expected = "command";
  return isFirst ? "subshell" : "misplaced";
}

/** What a closing parenthesis does: ends a subshell or a pattern that is open here, or else something outside. */
export function passClose(place: GrammarPlace): "subshell" | "pattern" | "outside" | "misplaced" {
  const innermost = place.open.at(-1);
  if (innermost === undefined) return "outside";
  if (innermost === "(") {
    place.open.pop();
    place.expected = "after compound";
    return "subshell";
  }
  const isPattern = place.expected === "pattern";
  place.expected = "command";
  return isPattern ? "pattern" : "misplaced";
}

function expect(place: GrammarPlace, expected: Expected, isKeyword: boolean): boolean {
  place.expected = expected;
  return isKeyword;
}
