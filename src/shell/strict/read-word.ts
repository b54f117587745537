import type { Doubt, WordToken } from "./token.ts";

/** Characters that are literal outside quotes anywhere in a word. */
const PLAIN = /[\w\-./:,@%+=^\]]+/y;
const NAME = /[A-Za-z_]\w*=/y;

/** A part of a word and the index of the next one. */
interface Fragment {
  readonly text: string;
  readonly end: number;
  readonly expands?: "glob" | "variable";
}

/**
 * Reads one literal word and removes its quotes and escapes. Doubts a word that any shell expands or that shells read
 * differently; with `mayExpand`, it may have the globs and the plain variables that both expand alike. Linear in the length of the text.
 */
export function readWord(text: string, start: number, mayExpand = false): WordToken | Doubt {
  let at = start;
  let word = "";
  let hasBrace = false;
  let expands: WordToken["expands"];
  while (at < text.length) {
    const char = text.charAt(at);
    if (isBoundary(char)) break;
    const fragment = (mayExpand ? readExpansion(text, at) : undefined) ?? readFragment(text, at, word);
    if ("doubt" in fragment) return fragment;
    expands = fragment.expands ?? expands;
    hasBrace ||= char === "{" || char === "}";
    word += fragment.text;
    at = fragment.end;
  }
  // A comma or two dots make a brace expansion; whether they are quoted is not checked.
  if (hasBrace && (word.includes(",") || word.includes(".."))) return { doubt: "braces may be expanded" };
  return {
    kind: "word",
    text: word,
    hasBrace,
    isAssignment: word.includes("=") && matches(NAME, text, start),
    end: at,
    ...(expands !== undefined && { expands }),
  };
}

const STARS = /[*?]+/y;
const VARIABLE = /"?\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})"?/y;

/** Returns `*`, `?`, `$NAME`, `${NAME}` and either of the last two alone in double quotes. */
function readExpansion(text: string, at: number): Fragment | undefined {
  if (matches(STARS, text, at))
    return { text: text.slice(at, STARS.lastIndex), end: STARS.lastIndex, expands: "glob" };
  if (!matches(VARIABLE, text, at)) return undefined;
  const variable = text.slice(at, VARIABLE.lastIndex);
  if (variable.startsWith('"') !== variable.endsWith('"')) return undefined;
  return { text: variable.replaceAll('"', ""), end: VARIABLE.lastIndex, expands: "variable" };
}

/** Returns true for a character that ends a word. */
export function isBoundary(char: string): boolean {
  return " \t\n;&|<>".includes(char);
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
      // It is expanded at the beginning, and after = and : in some words of bash or dash. A second one is doubted, so
      // that a word is scanned at most twice.
      return /^[^=:~]+$/.test(before) ? { text: char, end: at + 1 } : { doubt: "~ may be expanded" };
    case "[":
      return isBracket(text, at, before)
        ? { text: char, end: at + 1 }
        : { doubt: "[ may be expanded to file names" };
    default:
      return { doubt: doubtOf(char) };
  }
}

/** Returns true if a sticky pattern matches at the index; `lastIndex` is then the end of the match. */
function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Returns true for `[` as a separate word, which no shell treats as a pattern. */
function isBracket(text: string, at: number, before: string): boolean {
  const next = text.charAt(at + 1);
  return before === "" && (next === " " || next === "\t") && /^$|[\s;&|]/.test(text.charAt(at - 1));
}

function doubtOf(char: string): string {
  if (char === "*" || char === "?") return `${char} may be expanded to file names`;
  if (char === "$") return "$ may be expanded";
  if (char === "`") return "a substitution runs commands";
  if (char === "(" || char === ")") return "parentheses make a subshell, a function or a list";
  return "a non-ASCII character is not quoted";
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
    // In some locales the backslash is the second byte of a preceding non-ASCII character.
    if (text.charCodeAt(at - 1) > 127) return { doubt: "an escape follows a non-ASCII character" };
    if (next !== "\n") inside += '$`"\\'.includes(next) ? next : `\\${next}`;
    at += 2;
  }
  return { doubt: 'a " is not closed' };
}

function readEscaped(text: string, at: number): Fragment | Doubt {
  const next = text.charAt(at + 1);
  if (next === "") return { doubt: "it ends with a \\" };
  if (next.charCodeAt(0) > 127) return { doubt: doubtOf(next) };
  return { text: next === "\n" ? "" : next, end: at + 2 };
}
