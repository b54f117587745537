import type { Doubt, WordToken } from "./token.ts";

/** Characters that mean themselves outside quotes, wherever in a word they are. */
const PLAIN = /[\w\-./:,@%+=^\]]+/y;
const NAME = /[A-Za-z_]\w*=/y;

/** A part of a word, and where the next one begins. */
interface Fragment {
  readonly text: string;
  readonly end: number;
}

/**
 * Reads one literal word, quotes and escapes taken off. Doubts a word that any shell would expand, and one that shells
 * read differently. Looks at each character once.
 */
export function readWord(text: string, start: number): WordToken | Doubt {
  let at = start;
  let word = "";
  let hasBrace = false;
  while (at < text.length) {
    const char = text.charAt(at);
    if (isBoundary(char)) break;
    const fragment = readFragment(text, at, word);
    if ("doubt" in fragment) return fragment;
    hasBrace ||= char === "{" || char === "}";
    word += fragment.text;
    at = fragment.end;
  }
  // A comma or two dots make a list or a range of braces; which of them are quoted is not worth the risk.
  if (hasBrace && (word.includes(",") || word.includes(".."))) return { doubt: "braces may be expanded" };
  return {
    kind: "word",
    text: word,
    hasBrace,
    isAssignment: word.includes("=") && matches(NAME, text, start),
    end: at,
  };
}

/** True for what ends a word. */
export function isBoundary(char: string): boolean {
  switch (char) {
    case " ":
    case "\t":
    case "\n":
    case ";":
    case "&":
    case "|":
    case "<":
    case ">":
      return true;
    default:
      return false;
  }
}

function readFragment(text: string, at: number, before: string): Fragment | Doubt {
  if (matches(PLAIN, text, at)) return { text: text.slice(at, PLAIN.lastIndex), end: PLAIN.lastIndex };
  const char = text.charAt(at);
  switch (char) {
    case "'":
      return readSingleQuoted(text, at);
    case '"':
      return readDoubleQuoted(text, at);
    case "\\":
      return readEscaped(text, at);
    case "{":
    case "}":
    case "!":
    case "#":
      return { text: char, end: at + 1 };
    case "~":
      // It is a home at the beginning, and after = and : to bash in some words and to dash in others. A second one is
      // doubted so that a word is looked through no more than twice.
      return /^[^=:~]+$/.test(before) ? { text: char, end: at + 1 } : { doubt: "~ may be expanded" };
    case "[":
      return isBracket(text, at, before)
        ? { text: char, end: at + 1 }
        : { doubt: "[ may be expanded to file names" };
    default:
      return { doubt: doubtOf(char) };
  }
}

/** True where a sticky pattern matches at a place; its `lastIndex` is then where the match ends. */
function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** True for `[` as a word of its own, which no shell takes for a pattern. */
function isBracket(text: string, at: number, before: string): boolean {
  const next = text.charAt(at + 1);
  return before === "" && (next === " " || next === "\t") && /^$|[\s;&|]/.test(text.charAt(at - 1));
}

function doubtOf(char: string): string {
  switch (char) {
    case "*":
    case "?":
      return `${char} may be expanded to file names`;
    case "$":
      return "$ may be expanded";
    case "`":
      return "a substitution runs commands";
    case "(":
    case ")":
      return "parentheses make a subshell, a function or a list";
    default:
      return "a character outside ASCII is not quoted";
  }
}

function readSingleQuoted(text: string, at: number): Fragment | Doubt {
  const close = text.indexOf("'", at + 1);
  if (close < 0) return { doubt: "a ' is not closed" };
  return { text: text.slice(at + 1, close), end: close + 1 };
}

const DOUBLE_QUOTED = /[^"\\$`]*/y;

function readDoubleQuoted(text: string, start: number): Fragment | Doubt {
  let at = start + 1;
  let inside = "";
  while (at < text.length) {
    matches(DOUBLE_QUOTED, text, at);
    inside += text.slice(at, DOUBLE_QUOTED.lastIndex);
    at = DOUBLE_QUOTED.lastIndex;
    const char = text.charAt(at);
    if (char === '"') return { text: inside, end: at + 1 };
    if (char === "$" || char === "`") return { doubt: doubtOf(char) };
    const next = text.charAt(at + 1);
    if (next === "") break;
    // In some locales the backslash would be the second half of a character before it that is outside ASCII.
    if (text.charCodeAt(at - 1) > 127) return { doubt: "an escape follows a character outside ASCII" };
    if (next !== "\n") inside += '$`"\\'.includes(next) ? next : `\\${next}`;
    at += 2;
  }
  return { doubt: 'a " is not closed' };
}

function readEscaped(text: string, at: number): Fragment | Doubt {
  const next = text.charAt(at + 1);
  if (next === "") return { doubt: "nothing follows the last \\" };
  if (next.charCodeAt(0) > 127) return { doubt: doubtOf(next) };
  return { text: next === "\n" ? "" : next, end: at + 2 };
}
