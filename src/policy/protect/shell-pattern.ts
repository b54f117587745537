import { compileName, type NamePattern } from "../../util/text/name-pattern.ts";

/** The characters of the named classes; paths are folded to lower case before. */
const CLASSES: Readonly<Record<string, string>> = {
  alpha: "a-z",
  lower: "a-z",
  upper: "a-z",
  digit: "0-9",
  xdigit: "0-9a-f",
  alnum: "a-z0-9",
  word: "a-z0-9_",
  punct: ":-@!-/_{-~",
  space: " ",
  blank: " ",
  cntrl: " ",
};
/** Not with `!` first, which would negate the class. */
const ANY = '"-~!';
/** `[:alpha:]`, `[=e=]` and `[.e.]`, which are special only in brackets. */
const NAMED = /(?<=\[[^\]]*)\[(?<sign>[:=.])(?<name>[^\]]*?)\k<sign>\]/g;
const GROUP = /(?<sign>[@+?*!])\((?<choices>[^()]*)\)/g;

/** Writes what only some shells know in the pattern of a name, `[[:alpha:]]` and `@(a|b)`, as ranges and braces. */
export function toPlainPattern(pattern: string): string {
  if (!/[[(]/.test(pattern)) return pattern;
  const grouped = pattern.replace(GROUP, (_, sign: string, choices: string) =>
    sign === "!" ? "*" : `{${choices.replaceAll("|", ",")},}`,
  );
  return grouped.replace(NAMED, (_, sign: string, name: string) => {
    if (sign === ":") return CLASSES[name] ?? ANY;
    return name.length === 1 ? name : ANY;
  });
}

/** Compiles one name of a shell pattern. A shell takes the signs of an invalid one literally. */
export function patternOf(name: string): NamePattern {
  try {
    return compileName(name);
  } catch {
    return compileName(name.replaceAll(/[[\]\\]/g, String.raw`\$&`));
  }
}
