import type { PathMatch } from "../../../util/text/glob-pattern.ts";
import { compileGlob } from "../../../util/text/glob-pattern.ts";

interface Rule {
  readonly match: PathMatch;
  readonly isIgnored: boolean;
  readonly isForFolders: boolean;
}

/** What one .gitignore says of a path relative to its folder: true ignored, false taken back, undefined nothing. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean | undefined;

/** Reads the text of a .gitignore file; a line that makes no sense is left out, as git does. */
export function parseGitignore(text: string): IgnoreRules {
  const rules = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap(parseRule)
    .toReversed();
  return (path, isFolder) =>
    rules.find((rule) => (isFolder || !rule.isForFolders) && rule.match(path))?.isIgnored;
}

function parseRule(line: string): readonly Rule[] {
  // Spaces at the end do not count unless the last is escaped.
  const text = line.replace(/(?<!\\) +$/, "");
  if (text === "" || text.startsWith("#")) return [];
  const isIgnored = !text.startsWith("!");
  const pattern = isIgnored ? text : text.slice(1);
  const isForFolders = pattern.endsWith("/");
  try {
    const match = compileGlob(isForFolders ? pattern.slice(0, -1) : pattern);
    return [{ match, isIgnored, isForFolders }];
  } catch {
    return [];
  }
}
