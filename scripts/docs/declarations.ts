import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** A name that a door exports, and the file that declares it. */
export interface Exported {
  readonly name: string;
  readonly isType: boolean;
  readonly file: string;
}

/** A declaration without its body. */
export interface Declaration {
  readonly kind: "function" | "class" | "const" | "interface" | "type";
  /** The text above it. */
  readonly comment: string;
  readonly code: string;
}

const EXPORT = /export (type )?\{([^}]*)\} from "([^"]+)";/g;

/** Returns what a door exports, in its order. */
export function exportsOf(door: string): readonly Exported[] {
  return [...readFileSync(door, "utf8").matchAll(EXPORT)].flatMap(([, type, names = "", path = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => ({ name, isType: type !== undefined, file: join(dirname(door), path) })),
  );
}

const START = (name: string): RegExp =>
  new RegExp(
    String.raw`^(export )?(async )?(function\*?|class|const|interface|type) ${name}\b(?=[<(:=\s{])`,
    "gm",
  );

/** Returns the declaration of a name in a source file. Throws if there is none. */
export function declarationOf(file: string, name: string): Declaration {
  const source = readFileSync(file, "utf8");
  const starts = [...source.matchAll(START(name))];
  const [first] = starts;
  if (first === undefined) throw new Error(`${file} does not declare ${name}`);
  const kind = (first[3] ?? "").replace("*", "") as Declaration["kind"];
  const codes = starts.map(({ index }) => source.slice(index, endOf(source, index, kind)).trim());
  // The signature of an overloaded function that has the body is not public.
  const signatures = codes.length > 1 ? codes.slice(0, -1) : codes;
  return {
    kind,
    comment: commentBefore(source, first.index),
    code: signatures.map((code) => cleaned(code, kind)).join("\n"),
  };
}

/** Returns the comment that ends where a declaration begins, as plain text. */
function commentBefore(source: string, index: number): string {
  const [, comment = ""] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, index)) ?? [];
  return comment
    .replaceAll(/^\s*\*? ?/gm, "")
    .trim()
    .replaceAll("\n", " ");
}

const OPENING = "([{";
const CLOSING = ")]}";

/** Returns the end of a declaration: before a function's body, after a class, an interface or a type. */
function endOf(source: string, start: number, kind: Declaration["kind"]): number {
  let depth = 0;
  let hasParameters = false;
  for (let at = start; at < source.length; at += 1) {
    at = skipText(source, at);
    const char = source[at] ?? "";
    if (depth === 0 && isEnd(source, start, at, hasParameters ? kind : `${kind} without parameters`))
      return at;
    if (OPENING.includes(char)) depth += 1;
    if (!CLOSING.includes(char)) continue;
    depth -= 1;
    hasParameters ||= char === ")" && depth === 0;
    if (depth === 0 && char === "}" && (kind === "class" || kind === "interface")) return at + 1;
  }
  return source.length;
}

/** Returns whether a declaration ends before this character, which is outside all brackets. */
function isEnd(source: string, start: number, at: number, kind: string): boolean {
  const char = source[at];
  if (char === ";") return true;
  if (kind.startsWith("const")) return char === "=" && source[at + 1] !== ">";
  const isBrace = kind === "function" && char === "{";
  // Where a type is expected, a brace begins an object type.
  return isBrace && !/[:|&,<]\s*$|=>\s*$/.test(source.slice(start, at));
}

/** Returns the last index of a comment or a text that begins here; the same index if none does. Texts hold no brackets that count. */
export function skipText(source: string, at: number): number {
  const rest = source.slice(at, at + 20_000);
  const [text] = /^(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/.exec(rest) ?? [];
  return text === undefined ? at : at + text.length - 1;
}

function cleaned(code: string, kind: Declaration["kind"]): string {
  const plain = code.replace(/^export /, "").replace(/^async /, "");
  if (kind !== "class") return plain;
  // Method bodies and private members are not public.
  return plain
    .replaceAll(
      /^ {2}(?:constructor|get |static |async )?[^\n]*\) ?(?::[^\n{]*)?\{\n[\s\S]*?^ {2}\}$/gm,
      (method) => method.replace(/ ?\{\n[\s\S]*$/, ";"),
    )
    .replaceAll(/^ {2}#[^\n]*\n/gm, "");
}
