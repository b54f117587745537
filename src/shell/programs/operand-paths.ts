import type { Word } from "../../core/command.ts";
import { readShellWords } from "../syntax/shell-words.ts";
import { looksLikePath } from "./path-looks.ts";
import type { FoundPath, Operands, Program, Use } from "./tables/program.ts";

/** The paths among the words that are no options; of a program that is not known, all that look like one. */
export function operandPaths(
  program: Program | undefined,
  use: Use,
  words: readonly Word[],
): readonly FoundPath[] {
  const { usage, operands } = use;
  if (program === undefined) return looking(operands, "write");
  if (usage.paths !== undefined) return usage.paths(use);
  const kind = usage.operands ?? "looks";
  if (kind === "roots") return as(rootsOf(use, words), accessOf(use));
  if (kind === "shell") return shellPaths(words);
  return READERS[kind](operands, use);
}

type Reader = (operands: readonly Word[], use: Use) => readonly FoundPath[];

const READERS: Readonly<Record<Exclude<Operands, "roots" | "shell">, Reader>> = {
  none: () => [],
  read: (operands, use) => as(operands, accessOf(use)),
  write: (operands) => as(operands, "write"),
  copy: (operands, use) => copied(operands, use),
  pattern: (operands, use) => as(hasOwnPattern(use) ? operands : operands.slice(1), accessOf(use)),
  filter: (operands) => [...as(operands.slice(0, 1), "read"), ...as(operands.slice(1), "write")],
  owner: (operands, use) => as(hasOwnPattern(use) ? operands : operands.slice(1), "write"),
  archive: (operands) => [...as(operands.slice(0, 1), "write"), ...as(operands.slice(1), "read")],
  script: (operands) => [...as(operands.slice(0, 1), "read"), ...looking(operands.slice(1), "write")],
  "maybe-read": (operands, use) => maybe(operands, "read", use),
  "maybe-write": (operands, use) => maybe(operands, "write", use),
  looks: (operands, { usage }) => looking(operands, usage.readOnly === true ? "read" : "write"),
  remote: (operands, use) => copied(operands, use).filter(({ word }) => isHere(word)),
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

/** With a folder named by an option, every operand goes there. */
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

/** Where the target is a folder the copy has the name of its source there. It matters for names like `.envrc`. */
function hiddenCopy(source: Word, folder: Word): readonly FoundPath[] {
  const name = /(?:^|[/:])(\.[^./][^/]*)\/*$/.exec(source.text)?.[1];
  if (name === undefined) return [];
  const word = { text: `${folder.text}/${name}`, literal: source.literal && folder.literal };
  return [{ word, access: "write", isSuspected: true }];
}

/** Before `--` each may be a path or a name; after it each is a path. What is within `REVISION:PATH` or `:(top)PATH` is one too. */
function maybe(operands: readonly Word[], access: "read" | "write", use: Use): readonly FoundPath[] {
  const found: FoundPath[] = [];
  for (const [index, word] of operands.entries()) {
    const isSuspected = index < use.plainOperands;
    found.push({ word, access, isSuspected });
    if (!isSuspected && !word.text.startsWith(":")) continue;
    for (const text of pathsInside(word.text))
      found.push({ word: { text, literal: word.literal }, access, isSuspected: true });
  }
  return found;
}

/** `HEAD:PATH`, `:0:PATH`, `:/PATH`, `:(top,icase)PATH`; what `:!PATH` leaves out is not touched. */
function pathsInside(text: string): readonly string[] {
  if (!text.includes(":") || /^:(?:[!^]|\([^)]*exclude)/.test(text)) return [];
  const bare = text.replace(/^:(?:\([^)]*\)|\/)/, "");
  if (bare !== text) return bare === "" ? [] : [bare];
  const parts = text.split(":");
  return parts.slice(1).flatMap((part, index) => (part === "" ? [] : parts.slice(index + 1).join(":")));
}

function looking(operands: readonly Word[], access: "read" | "write"): readonly FoundPath[] {
  return operands.flatMap((word): readonly FoundPath[] => {
    const equals = word.text.indexOf("=");
    const value = equals < 0 ? word.text : word.text.slice(equals + 1);
    if (looksLikePath(value))
      return [{ word: { text: value, literal: word.literal }, access, isSuspected: true }];
    return looksLikePath(word.text) || !word.literal ? [{ word, access, isSuspected: true }] : [];
  });
}

/** The files that a shell reads and runs, and what it hands to them. */
function shellPaths(words: readonly Word[]): readonly FoundPath[] {
  const { files, given } = readShellWords(words[0]?.text ?? "", words);
  return [...as(files, "read"), ...looking(given, "write")];
}

/** `host:path` is elsewhere; `./a:b` is here. */
function isHere({ text }: Word): boolean {
  const colon = text.indexOf(":");
  return colon < 0 || text.slice(0, colon).includes("/");
}

/** `if=` and `of=` of `dd`. */
function setting({ text, literal }: Word): readonly FoundPath[] {
  const match = /^(if|of)=(.*)$/s.exec(text);
  if (match === null) return [];
  return [{ word: { text: match[2] ?? "", literal }, access: match[1] === "of" ? "write" : "read" }];
}

/** What `find` looks through: the words before its first test. */
function rootsOf({ restAt }: Use, words: readonly Word[]): readonly Word[] {
  let end = restAt;
  while (end < words.length && !/^(?:-.|[(!,)]$)/.test(words[end]?.text ?? "-x")) end++;
  return words.slice(restAt, end);
}
