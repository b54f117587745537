/** How much a change asks of the users of the package: `major` breaks programs, `minor` adds, `patch` does neither. */
export const LEVELS = ["patch", "minor", "major"] as const;
export type Level = (typeof LEVELS)[number];

/** The declarations that a door exports, by name, without comments. */
export type Declarations = Readonly<Record<string, string>>;

export interface Change {
  readonly name: string;
  readonly level: Level;
  readonly what: "added" | "removed" | "changed";
}

/**
 * Returns what differs between the accepted declarations and those of now. Only names and optional members that are added are minor:
 * a change that a text cannot prove to be compatible is major.
 */
export function compareDeclarations(accepted: Declarations, current: Declarations): readonly Change[] {
  const names = [...new Set([...Object.keys(accepted), ...Object.keys(current)])].sort();
  return names.flatMap((name): readonly Change[] => {
    const before = accepted[name];
    const after = current[name];
    if (before === after) return [];
    if (before === undefined) return [{ name, level: "minor", what: "added" }];
    if (after === undefined) return [{ name, level: "major", what: "removed" }];
    return [{ name, level: onlyAdds(before, after) ? "minor" : "major", what: "changed" }];
  });
}

/** Returns the highest level of the changes. */
export function levelOf(changes: readonly Change[]): Level {
  return LEVELS[Math.max(0, ...changes.map(({ level }) => LEVELS.indexOf(level)))] ?? "major";
}

const OPTIONAL_MEMBER = /^(?:readonly )?\w+\?[(:]/;
const CLASS = /^(?:abstract )?class /;

/** Returns whether every line of a declaration is still there, and the others are optional members, or members of a class. */
function onlyAdds(before: string, after: string): boolean {
  const old = linesOf(before);
  const rest = [...old];
  const added = linesOf(after).filter((line) => line !== rest[0] || rest.shift() === undefined);
  return rest.length === 0 && added.every((line) => OPTIONAL_MEMBER.test(line) || CLASS.test(before));
}

function linesOf(code: string): readonly string[] {
  return code.split("\n").map((line) => line.trim());
}

/** Returns a declaration without its comments and empty lines: what they say is documentation. */
export function withoutComments(code: string): string {
  return code
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/\n\s*\n/g, "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();
}
