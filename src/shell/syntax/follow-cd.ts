import { join, normalize } from "node:path/posix";
import type { Word } from "../../core/command.ts";

/** More folders than this are as good as unknown. */
const MAX_FOLDERS = 8;

/**
 * The folders where a shell may be once this `cd` has succeeded, given those where it may be now; none where that cannot
 * be told. A path with `..` gives more than one: shells take it from the names they went through, and where nothing is
 * there, from the disk, which takes it after links. So what is returned may hold `..`, meant as the disk means it.
 */
export function afterCd(
  words: readonly Word[],
  cwds: readonly string[],
  home: string | undefined,
): readonly string[] {
  if (words.some(({ literal }) => !literal)) return [];
  const { isPhysical, operands } = readArguments(words.slice(1).map(({ text }) => text));
  const [target = home, ...more] = operands;
  // `cd -` goes to where the shell was before it was started; an option like `-e` is not known to every shell.
  if (target === undefined || target === "" || more.length > 0 || target.startsWith("-")) return [];
  if (target.startsWith("/")) return foldersAt("/", target, isPhysical);
  return bounded(cwds.flatMap((cwd) => foldersAt(cwd, target, isPhysical)));
}

/** The folders of two possibilities; unknown where one of them is. */
export function eitherFolder(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one === other) return one;
  return one.length === 0 || other.length === 0 ? [] : bounded([...one, ...other]);
}

function readArguments(texts: readonly string[]): {
  readonly isPhysical: boolean;
  readonly operands: readonly string[];
} {
  let at = 0;
  let isPhysical = false;
  for (; /^-[LP]+$/.test(texts[at] ?? ""); at += 1) isPhysical = texts[at]?.endsWith("P") === true;
  return { isPhysical, operands: texts.slice(texts[at] === "--" ? at + 1 : at) };
}

function foldersAt(cwd: string, target: string, isPhysical: boolean): readonly string[] {
  const onDisk = tidy(`${cwd}/${target}`);
  if (isPhysical || !hasParent(target)) return [onDisk];
  return [join(cwd, target), tidy(`${cwd}/${normalize(target)}`), onDisk];
}

/** Without empty parts and dots; `..` stays, since what is before it may be a link. */
function tidy(path: string): string {
  return `/${path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")}`;
}

function hasParent(path: string): boolean {
  return path.split("/").includes("..");
}

function bounded(folders: readonly string[]): readonly string[] {
  const distinct = [...new Set(folders)];
  return distinct.length > MAX_FOLDERS ? [] : distinct;
}
