import { compileGlob, type PathMatch } from "../../../util/text/glob-pattern.ts";

interface Rule {
  readonly match: PathMatch;
  readonly isIgnored: boolean;
  readonly isForFolders: boolean;
}

/** The verdict of one .gitignore on a path in its folder: true ignored, false re-included, undefined no rule. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean | undefined;

/** Parses a .gitignore file; invalid lines are ignored, as in git. */
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
  // Trailing spaces are ignored unless the last is escaped.
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
