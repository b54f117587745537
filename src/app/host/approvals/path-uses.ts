import { posix } from "node:path";
import type { SimpleCommand, Word } from "../../../core/command.ts";
import type { Fact } from "../../../core/fact.ts";

/** What the commands of a call do with a path that they may write. */
export interface PathUse {
  /** Each program that names it only removes. */
  readonly isRemoved: boolean;
  /** No program is known to name it: it comes from text that only the run knows, such as names that `xargs` reads. */
  readonly isGuess: boolean;
}

/** Has a character that a shell expands to names of files. */
export const PATTERN = /[*?[]/;

/** Programs that only remove what they name. */
const REMOVERS: ReadonlySet<string> = new Set(["rm", "rmdir", "unlink"]);

/** Returns what the commands among the facts do with the paths that they may write, by absolute path. */
export function pathUses(facts: readonly Fact[]): ReadonlyMap<string, PathUse> {
  const uses = new Map<string, PathUse>();
  for (const [path, { isRemoved, isGuess }] of facts.flatMap(usesOf)) {
    const before = uses.get(path) ?? { isRemoved, isGuess };
    uses.set(path, { isRemoved: isRemoved && before.isRemoved, isGuess: isGuess && before.isGuess });
  }
  return uses;
}

function usesOf(fact: Fact): readonly (readonly [string, PathUse])[] {
  if (fact.kind !== "command") return [];
  return (fact.reading?.commands ?? []).flatMap((command) => {
    const folders = command.cwds.length === 0 ? [fact.cwd] : command.cwds;
    return [...wordUses(command), ...redirectUses(command)].flatMap(([text, use]) =>
      text === "" ? [] : folders.map((folder) => [posix.resolve(folder, text), use] as const),
    );
  });
}

function wordUses(command: SimpleCommand): readonly (readonly [string, PathUse])[] {
  const [program, ...words] = command.words;
  if (OTHERS.has(nameOf(program))) return [];
  const isRemoved = removes(command.words);
  return words.map((word) => [word.text, { isRemoved, isGuess: isGuess(word, command) }]);
}

function redirectUses({ redirects }: SimpleCommand): readonly (readonly [string, PathUse])[] {
  const writes = redirects.filter(({ access }) => access === "write");
  return writes.map(({ target }) => [target.text, { isRemoved: false, isGuess: !target.literal }]);
}

/** Programs that write none of the words they name; starters, because the command that they start is listed too. */
const OTHERS: ReadonlySet<string> = new Set(
  "xargs sudo env nice timeout find fd ls echo printf cat grep rg".split(" "),
);

function isGuess({ text, literal }: Word, { via }: SimpleCommand): boolean {
  return !literal && (via.length > 0 || !PATTERN.test(text));
}

function removes([program, first]: readonly Word[]): boolean {
  const name = nameOf(program);
  return name === "git" ? first?.text === "rm" : REMOVERS.has(name);
}

function nameOf(program: Word | undefined): string {
  return posix.basename(program?.text ?? "");
}
