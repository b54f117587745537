// Fails on words and phrases that have a plain technical equivalent. One line for each place.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What is found, and what to write instead. Only words that are wrong in every sentence of this project. */
const PHRASES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bheed(?:s|ed|ing)?\b/i, "handle, obey or use"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix or repair"],
  [/\b(?:whoever|whomever|whosoever)\b/i, "the actor: the caller, the user, the client"],
  [/\bstrangers?\b/i, "untrusted, third-party or external"],
  [/\berrands?\b/i, "delegated task"],
  [/\bpurses?\b/i, "shared budget"],
  [/\bmailbox(?:es)?\b/i, "inbox"],
  [/\b(?:hire|hired|hires|hiring)\b/i, "spawn"],
  [/\bcrews?\b/i, "team"],
  [/\bsetbacks?\b/i, "backoff"],
  [/\bcensus\b/i, "counts"],
  [/\blikeness(?:es)?\b/i, "match"],
  [/\bsurroundings\b/i, "environment"],
  [/\bdeaf\b/i, "ignores cancellation"],
  [/\bunasked\b/i, "without approval"],
  [/\bis nothing that can be done\b/i, 'unknown action "…"; expected …'],
  [/\bmeans nothing (?:to|here|with)\b/i, "cannot be used with"],
  [/\btold nothing\b/i, "timed out: no output"],
  [/\btoo many words\b/i, "unexpected argument"],
  [/\bat most so (?:many|much|long)\b/i, "limit (unit)"],
  [/\bnobody logs in\b/i, "refusing to log in"],
  [/\ba value that cannot be\b/i, "an invalid value"],
  [/\bwhere there is none\b/i, "if there is none"],
  [/\bleft out: /i, "default: "],
  [/\bwhat came of\b/i, "the result of"],
  [/\bwhat became of\b/i, "the result of or the state of"],
];
/** Participles that say nothing of what they name; tests may have them. */
const CONSTANT =
  /\b(?:const|let) (?:\[[^\]=]*\b|\{[^}=]*: )?(?:given|found|shown|written|told|said|kept|asked)\b/;
const TESTS = /(?:^test\/|\.test\.tsx?$)/;
const CHECKED = [
  "src",
  "bin",
  "scripts",
  "docs",
  "examples",
  "templates",
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "test",
  "bench",
  "web",
];
const OWN = new Set(["scripts/check-language.ts", "test/check-language.test.ts"]);

/** Returns one line for each phrase in a text that has a plainer equivalent, and for each constant whose name is a participle. */
export function findPhrases(file: string, text: string): readonly string[] {
  const phrases = TESTS.test(file) ? PHRASES : [...PHRASES, [CONSTANT, "the noun of what it is"] as const];
  return text.split("\n").flatMap((line, index) =>
    phrases.flatMap(([pattern, instead]) => {
      const phrase = pattern.exec(line)?.[0];
      return phrase === undefined ? [] : [`${file}:${index + 1}: "${phrase}"; write ${instead}`];
    }),
  );
}

if (import.meta.main) {
  const files = execFileSync("git", ["ls-files", "-z", "--", ...CHECKED], { encoding: "utf8" })
    .split("\0")
    .filter((file) => /\.(?:tsx?|js|cjs|md|sh|py|mjs|mts)$/.test(file) && !OWN.has(file));
  const faults = files.flatMap((file) => findPhrases(file, readFileSync(file, "utf8")));
  for (const fault of faults) console.error(fault);
  console.log(`${files.length} files, ${faults.length} faults`);
  if (faults.length > 0) process.exit(1);
}
