import type { Word } from "../../core/command.ts";
import { parseShellArguments } from "../syntax/shell-arguments.ts";
import type { FoundPath, Operands, Program, Use } from "./tables/program.ts";

/** Returns the paths among the operands; for an unknown program, all that look like a path. */
export function operandPaths(
  program: Program | undefined,
  use: Use,
  words: readonly Word[],
): readonly FoundPath[] {
  const { usage, operands } = use;
  if (program === undefined) return thatLookLikePaths(operands, "write");
  if (usage.paths !== undefined) return usage.paths(use);
  const kind = usage.operands ?? "looks";
  if (kind === "roots") return as(rootsOf(use, words), accessOf(use));
  if (kind === "shell") return shellPaths(words);
  if (kind === "home") return operands.length === 0 ? [HOME] : as(operands, "read");
  return READERS[kind](operands, use);
}

const HOME: FoundPath = { word: { text: "~", literal: true }, access: "read" };

type Reader = (operands: readonly Word[], use: Use) => readonly FoundPath[];

const READERS: Readonly<Record<Exclude<Operands, "roots" | "shell" | "home">, Reader>> = {
  none: () => [],
  read: (operands, use) => as(operands, accessOf(use)),
  write: (operands) => as(operands, "write"),
  copy: (operands, use) => copied(operands, use),
  pattern: (operands, use) => as(hasOwnPattern(use) ? operands : operands.slice(1), accessOf(use)),
  filter: (operands) => [...as(operands.slice(0, 1), "read"), ...as(operands.slice(1), "write")],
  owner: (operands, use) => as(hasOwnPattern(use) ? operands : operands.slice(1), "write"),
  archive: (operands) => [...as(operands.slice(0, 1), "write"), ...as(operands.slice(1), "read")],
  script: (operands) => [
    ...as(operands.slice(0, 1), "read"),
    ...thatLookLikePaths(operands.slice(1), "write"),
  ],
  "maybe-read": (operands, use) => maybe(operands, "read", use),
  "maybe-write": (operands, use) => maybe(operands, "write", use),
  looks: (operands, { usage }) => thatLookLikePaths(operands, usage.readOnly === true ? "read" : "write"),
  remote: (operands, use) => copied(operands, use).filter(({ word }) => isLocal(word)),
  urls: (operands) =>
    as(
      operands.filter(({ text }) => /^file:/i.test(text)),
      "read",
    ),
  settings: (operands) => operands.flatMap(setting),
};

function as(words: readonly Word[], access: "read" | "write"): readonly FoundPath[] {
  return words.map((word) => ({ word, access }));
}

function accessOf({ usage, flags }: Use): "read" | "write" {
  return usage.inPlace !== undefined && flags.some(({ flag }) => usage.inPlace?.includes(flag.name))
    ? "write"
    : "read";
}

function hasOwnPattern({ usage, flags }: Use): boolean {
  return flags.some(({ flag }) => usage.patternFlags?.includes(flag.name) === true);
}

/** If an option names the target folder, every operand is a source. */
function copied(operands: readonly Word[], { flags }: Use): readonly FoundPath[] {
  const option = flags.find(({ flag }) => flag.name === "-t" && flag.values[0] === "write");
  const sources = option === undefined ? operands.slice(0, -1) : operands;
  const targets = option === undefined ? operands.slice(-1) : option.values;
  return [
    ...as(sources, "read"),
    ...(option === undefined ? as(targets, "write") : []),
    ...targets.flatMap((folder) => sources.flatMap((source) => hiddenCopy(source, folder))),
  ];
}

/** If the target is a folder, the copy keeps the name of its source; this matters for names such as `.envrc`. */
function hiddenCopy(source: Word, folder: Word): readonly FoundPath[] {
  const name = /(?:^|[/:])(\.[^./][^/]*)\/*$/.exec(source.text)?.[1];
  if (name === undefined) return [];
  const word = { text: `${folder.text}/${name}`, literal: source.literal && folder.literal };
  return [{ word, access: "write", isSuspected: true }];
}

/** Before `--` each operand may be a path or a name; after it each is a path. `REVISION:PATH` and `:(top)PATH` contain one too. */
function maybe(operands: readonly Word[], access: "read" | "write", use: Use): readonly FoundPath[] {
  const paths: FoundPath[] = [];
  for (const [index, word] of operands.entries()) {
    const isSuspected = index < use.plainOperands;
    paths.push({ word, access, isSuspected });
    if (!isSuspected && !word.text.startsWith(":")) continue;
    for (const text of pathsInside(word.text))
      paths.push({ word: { text, literal: word.literal }, access, isSuspected: true });
  }
  return paths;
}

/** Handles `HEAD:PATH`, `:0:PATH`, `:/PATH` and `:(top,icase)PATH`; `:!PATH` excludes a path. */
function pathsInside(text: string): readonly string[] {
  if (!text.includes(":") || /^:(?:[!^]|\([^)]*exclude)/.test(text)) return [];
  const bare = text.replace(/^:(?:\([^)]*\)|\/)/, "");
  if (bare !== text) return bare === "" ? [] : [bare];
  const parts = text.split(":");
  return parts.slice(1).flatMap((part, index) => (part === "" ? [] : parts.slice(index + 1).join(":")));
}

function thatLookLikePaths(operands: readonly Word[], access: "read" | "write"): readonly FoundPath[] {
  return operands.flatMap((word): readonly FoundPath[] => {
    const equals = word.text.indexOf("=");
    const value = equals < 0 ? word.text : word.text.slice(equals + 1);
    if (looksLikePath(value))
      return [{ word: { text: value, literal: word.literal }, access, isSuspected: true }];
    return looksLikePath(word.text) || !word.literal ? [{ word, access, isSuspected: true }] : [];
  });
}

/** Returns the files that a shell runs and the arguments it passes to them. */
function shellPaths(words: readonly Word[]): readonly FoundPath[] {
  const { files, given } = parseShellArguments(words[0]?.text ?? "", words);
  return [...as(files, "read"), ...thatLookLikePaths(given, "write")];
}

/** `host:path` is remote; `./a:b` is local. */
function isLocal({ text }: Word): boolean {
  const colon = text.indexOf(":");
  return colon < 0 || text.slice(0, colon).includes("/");
}

/** Handles `if=` and `of=` of `dd`. */
function setting({ text, literal }: Word): readonly FoundPath[] {
  const match = /^(if|of)=(.*)$/s.exec(text);
  if (match === null) return [];
  return [{ word: { text: match[2] ?? "", literal }, access: match[1] === "of" ? "write" : "read" }];
}

/** Returns the folders that `find` searches: the words before its first test. */
function rootsOf({ restAt }: Use, words: readonly Word[]): readonly Word[] {
  let end = restAt;
  while (end < words.length && !/^(?:-.|[(!,)]$)/.test(words[end]?.text ?? "-x")) end++;
  return words.slice(restAt, end);
}

/** Returns true for a word that is most likely a path. */
function looksLikePath(text: string): boolean {
  if (text === "" || text === "-" || text === "{}") return false;
  return text.includes("/") || text.includes("\\") || text.startsWith(".") || text.startsWith("~");
}

/** Returns the path in an option: after `=`, or attached to a letter. */
export function pathInOption(text: string): string | undefined {
  const equals = text.indexOf("=");
  const value = equals >= 0 ? text.slice(equals + 1) : text.replace(/^-+[A-Za-z]?/, "");
  return looksLikePath(value) && !text.startsWith("--no-") ? value : undefined;
}

const FILE_URL = /^file:(?:\/\/(?:localhost(?=\/))?)?/i;

/** Returns the paths that a word may be; none for `-`, which is a stream. A URL is a path as well: `a://../b` is `b` if there is a folder `a:`. */
export function pathsNamed({ text }: Word): readonly string[] {
  if (text === "" || text === "-") return [];
  return /^file:/i.test(text) ? [decoded(text.replace(FILE_URL, "")), text] : [text];
}

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
