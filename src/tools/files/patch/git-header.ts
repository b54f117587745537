import { ToolError } from "../../../core/errors.ts";
import type { PatchLines } from "./lines.ts";

/** The contents of git's header lines of a file. */
export interface GitHeader {
  /** The name, if both sides have the same. */
  readonly name?: string | undefined;
  readonly isNew?: boolean;
  readonly isDeleted?: boolean;
  readonly renameFrom?: string;
  readonly renameTo?: string;
  readonly mode?: number;
}

const SAME_NAME = /^diff --git a\/(.+) b\/\1$/;
const EXTENDED =
  /^(index|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to) ?/;
const REGULAR_FILE = 0o100000;

/** Parses git's header lines of a file. Throws for binaries, links, submodules and copies. */
export function takeGitHeader(lines: PatchLines): GitHeader {
  const parts: GitHeader[] = [{ name: nameOf(lines.take()) }];
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    if (line.startsWith("GIT binary patch") || line.startsWith("Binary files "))
      throw unfit("a binary file", line);
    if (!EXTENDED.test(line)) break;
    parts.push(readLine(line));
    lines.take();
  }
  return Object.assign({}, ...parts) as GitHeader;
}

function nameOf(line: string): string | undefined {
  const plain = SAME_NAME.exec(line)?.[1];
  if (plain !== undefined) return plain;
  const quoted = /^diff --git "a\/.*" ("b\/.*")$/.exec(line)?.[1];
  return quoted === undefined ? undefined : toName(quoted).slice(2);
}

function readLine(line: string): GitHeader {
  const word = EXTENDED.exec(line)?.[1] ?? "";
  const value = line.slice(word.length + 1);
  if (word.startsWith("copy")) throw unfit("a copy", line);
  if (word === "new file mode") return { isNew: true, mode: permissions(value, line) };
  if (word === "new mode") return { mode: permissions(value, line) };
  if (word === "deleted file mode") return { isDeleted: true };
  if (word === "rename from") return { renameFrom: toName(value) };
  return word === "rename to" ? { renameTo: toName(value) } : {};
}

function permissions(text: string, line: string): number {
  const mode = Number.parseInt(text, 8);
  if ((mode & 0o170000) !== REGULAR_FILE) throw unfit("a link or a submodule", line);
  return mode & 0o777;
}

function unfit(what: string, line: string): ToolError {
  return new ToolError("INVALID_INPUT", `the patch has ${what}, which cannot be applied as text: ${line}`);
}

/** The names of a file before and after a patch; undefined if there is no file. */
export interface Names {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Returns the name in a header: up to a tab, unquoted if git has quoted it. */
export function toName(text: string): string {
  if (text.startsWith('"')) return unquoted(text);
  return (text.split("\t", 1)[0] ?? "").trimEnd();
}

/** Removes git's prefixes `a/` and `b/`; other names stay. */
export function withoutPrefixes({ from, to }: Names): Names {
  const isPrefixed = (from ?? "a/").startsWith("a/") && (to ?? "b/").startsWith("b/");
  return isPrefixed ? { from: from?.slice(2), to: to?.slice(2) } : { from, to };
}

/** Other escaped characters stand for themselves. */
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git writes bytes beyond ASCII as three octal digits each. */
function unquoted(text: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  const parts = [...inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)].map(([whole, octal, letter]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
    return letter === undefined ? Buffer.from(whole) : Buffer.from([ESCAPES[letter] ?? letter.charCodeAt(0)]);
  });
  return Buffer.concat(parts).toString("utf8");
}
