import { expandBraces } from "../../util/text/expand-braces.ts";
import { fold } from "../../util/text/fold.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { mayExpandTo } from "./protected.ts";
import { PROTECTED_READS } from "./protected-files.ts";
import { patternOf } from "./shell-pattern.ts";

/** The files whose contents need approval in every mode, for one user. Paths are folded: some file systems ignore case and Unicode form. */
export interface ProtectedReads {
  readonly isProtected: (folded: string) => boolean;
  /** Returns true for a path in the home folder. */
  readonly isInHome: (folded: string) => boolean;
  /** Returns true for a folder that contains the home folder, a protected folder of it, or secrets of the system. */
  readonly holdsSecrets: (folded: string) => boolean;
  /** Returns true for the pattern of a rule that is itself one of a protected path: `*.pem`, never `**`. */
  readonly names: (pattern: string) => boolean;
  /** Returns true for a path with a shell pattern that may expand to a protected path. */
  readonly mayBecome: (folded: string) => boolean;
}

/** Files in the folders of packages are public; what a path in /proc leads to is unknown. */
const PACKAGES = /^(?!\/proc\/).*\/(?:node_modules|site-packages)\//;

/** An entry for all names with an ending. */
const ENDING = /^\*\.[^/*.]+$/;
const HOME = "~/";
/** Rare enough in other paths. */
const CLUE_LENGTH = 4;
const ALL = PROTECTED_READS.flatMap(({ paths }) => paths).map((path) => path.toLowerCase());
const IN_HOME = ALL.filter((path) => path.startsWith(HOME));
const ANYWHERE = compile(ALL.filter((path) => !path.startsWith(HOME)));
const EXCEPT = compile(PROTECTED_READS.flatMap(({ except }) => except).map((path) => path.toLowerCase()));

function isOfSystem(path: string): boolean {
  return path.startsWith("/");
}

/** Prepares the table of protected files. All files of the further `folders` are protected too. */
export function createProtectedReads(home: string | undefined, folders: readonly string[]): ProtectedReads {
  const own = home === undefined ? undefined : fold(home);
  const inHome = new Set(own === undefined ? [] : IN_HOME.map((path) => path.replace("~", own)));
  const secrets = ALL.flatMap((path) => {
    if (isOfSystem(path)) return path;
    return own === undefined ? [] : `${own}/${path.replace(HOME, "")}`;
  });
  const isProtected = (path: string): boolean =>
    folders.some((folder) => isWithin(path, folder)) ||
    ((ANYWHERE(path) || inHome.has(path)) && !EXCEPT(path) && !PACKAGES.test(path));
  return {
    isProtected,
    isInHome: (path) => own !== undefined && isWithin(path, own),
    holdsSecrets: (folder) => secrets.some((path) => isWithin(path, folder)),
    names: (pattern) =>
      expandBraces(pattern).every((one) =>
        isProtected(fold(one.replace(/^~(?=\/)/, own ?? "").replace(/^(?!\/)/, "/"))),
      ),
    mayBecome: (path) => isProtected(path) || mayExpand(path, isProtected),
  };
}

/** Compiles entries of the table. Most paths are rejected without a look at each entry. */
function compile(entries: readonly string[]): (path: string) => boolean {
  const endings = new Set(entries.filter((entry) => ENDING.test(entry)).map((entry) => entry.slice(1)));
  const rest = entries.filter((entry) => !ENDING.test(entry));
  const clues = new RegExp([...new Set(rest.map(clueOf))].join("|"));
  const pattern = oneOf(rest);
  const shortest = Math.min(...[...endings].map((ending) => ending.length));
  const hasEnding = (path: string): boolean => {
    const dot = path.lastIndexOf(".");
    return path.length - dot >= shortest && endings.has(path.slice(dot));
  };
  return (path) => (clues.test(path) && pattern.test(path)) || hasEnding(path);
}

/** Returns the source of what every match of an entry has: the beginning of a name, and of the path if it is one of the system. */
function clueOf(entry: string): string {
  if (isOfSystem(entry)) return `^${entry.slice(0, CLUE_LENGTH)}`;
  return entry.startsWith(".") ? String.raw`/\.` : `/${entry.slice(0, CLUE_LENGTH).replace(/\*.*/, "")}`;
}

/** A folder matches with everything in it. */
function oneOf(entries: readonly string[]): RegExp {
  const toSource = (entry: string): string => {
    const names = entry.replace(/^\//, "").replace(/\/$/, "");
    const source = names.replaceAll(/[.+()]/g, String.raw`\$&`).replaceAll("*", "[^/]*");
    return `${entry.startsWith("/") ? "^/" : "/"}${source}${entry.endsWith("/") ? "(?:/|$)" : "$"}`;
  };
  return new RegExp(entries.map(toSource).join("|"));
}

const MAGIC = /[*?[{]/;

/** The last names that a shell pattern is compared with: one for each entry of the table. */
const SAMPLES = ALL.filter((path) => !isOfSystem(path)).map((path) =>
  namesOf(path.replaceAll("*", "x").replace(/^~/, "")),
);
const SYSTEM_SAMPLES = ALL.filter(isOfSystem).map(namesOf);

interface Sample {
  readonly names: readonly string[];
  readonly isFolder: boolean;
}

function namesOf(path: string): Sample {
  return { names: path.split("/").filter((name) => name !== ""), isFolder: path.endsWith("/") };
}

/** As in a shell, a pattern matches a hidden name only if it begins with a dot; one of stars alone may mean any file, and is not compared. */
function mayExpand(path: string, isProtected: ProtectedReads["isProtected"]): boolean {
  return mayExpandTo(path, (one) => isProtected(one) || mayMatch(one));
}

function mayMatch(path: string): boolean {
  const parts = path.split("/").slice(1);
  const isAt = (start: number, { names, isFolder }: Sample): boolean =>
    (isFolder || parts.length - start === names.length) &&
    names.every((name, index) => fits(parts[start + index] ?? "", name));
  return (
    SAMPLES.some((sample) => parts.some((_, start) => isAt(start, sample))) ||
    SYSTEM_SAMPLES.some((sample) => mayReach(parts, sample))
  );
}

/** Compares a pattern from the root on with a path of the system, of which a name that is a star stands for any. Here stars alone count too. */
function mayReach(given: readonly string[], { names, isFolder }: Sample): boolean {
  if (!isFolder && given.length !== names.length) return false;
  return names.every((name, index) => {
    const pattern = given[index] ?? "";
    return pattern === name || name === "*" || patternOf(pattern).matches(name.replaceAll("*", "x"));
  });
}

function fits(given: string, wanted: string): boolean {
  if (given === wanted) return true;
  if (!MAGIC.test(given) || /^[*?]+$/.test(given)) return false;
  return wanted.startsWith(".") === given.startsWith(".") && patternOf(given).matches(wanted);
}
