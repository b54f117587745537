import { join, normalize } from "node:path/posix";
import type { Word } from "../../core/command.ts";

/** More folders than this count as unknown. */
const MAX_FOLDERS = 8;

/** The folders in which a shell may be after a command succeeded or failed; empty if unknown. */
export interface Outcome {
  readonly ok: readonly string[];
  readonly failed: readonly string[];
}

/** Returns the outcome of a command that does not change the folder. */
export function stay(cwds: readonly string[]): Outcome {
  return { ok: cwds, failed: cwds };
}

/**
 * Returns the folders in which a shell may be after this `cd` succeeded; empty if unknown. A path with `..` gives several:
 * a shell resolves it by the names it went through or, if that folder does not exist, on the disk, after links. A returned
 * path may contain `..`, to be resolved on the disk.
 */
export function afterCd(
  words: readonly Word[],
  cwds: readonly string[],
  home: string | undefined,
): readonly string[] {
  if (words.some(({ literal }) => !literal)) return [];
  const { isPhysical, operands } = readArguments(words.slice(1).map(({ text }) => text));
  const [target = home, ...more] = operands;
  // The target of `cd -` is unknown, and some shells do not have options such as `-e`.
  if (target === undefined || target === "" || more.length > 0 || target.startsWith("-")) return [];
  if (target.startsWith("/")) return foldersAt("/", target, isPhysical);
  return limited(cwds.flatMap((cwd) => foldersAt(cwd, target, isPhysical)));
}

/** Returns the folders of two possible outcomes; unknown if either is unknown. */
export function eitherFolder(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one === other) return one;
  return one.length === 0 || other.length === 0 ? [] : limited([...one, ...other]);
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
  if (isPhysical || !target.split("/").includes("..")) return [onDisk];
  return [join(cwd, target), tidy(`${cwd}/${normalize(target)}`), onDisk];
}

/** Removes empty parts and dots; `..` stays, because the part before it may be a link. */
function tidy(path: string): string {
  return `/${path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")}`;
}

function limited(folders: readonly string[]): readonly string[] {
  const distinct = [...new Set(folders)];
  return distinct.length > MAX_FOLDERS ? [] : distinct;
}
