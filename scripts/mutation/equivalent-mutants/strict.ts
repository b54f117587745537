import type { ListedMutants } from "../equivalent.ts";
import { FOR_PEOPLE, SHORTCUT, TYPE_ONLY } from "./reasons.ts";

const NOTHING_THERE = "there is nothing at the end of the text, which ends a word";
const NO_TOKENS = "what is no list of tokens has no command, which is a doubt too";

/** The mutants of the reader that proves commands which no test can notice, because they change no decision, with the reason. */
export const STRICT: ListedMutants = {
  "src/shell/strict/group.ts": [
    ['token.kind === "word"', "true", "no other kind is left"],
    ['token.kind === "rewire"', "true", "no other kind has a delimiter"],
  ],
  "src/shell/strict/place-commands.ts": [
    ["at < parts.length", "*", "a list without commands has no folder"],
    ["parts[at] !== undefined", "true", "the last command always has a separator"],
    ["members.length > 1", "true", "what a command prints is read by the next one in its pipeline only"],
    [
      "members.length > 1",
      "members.length >= 1",
      "what a command prints is read by the next one in its pipeline only",
    ],
    ["!isRewired && input === undefined", "false", SHORTCUT],
    ["[]", '["Stryker was here"]', TYPE_ONLY],
  ],
  "src/shell/strict/read-redirect.ts": [
    ['operator.startsWith("<")', "*", "the operators that are not doubted begin and end alike"],
    ['char === ""', "false", NOTHING_THERE],
    ['""', '"Stryker was here!"', NOTHING_THERE],
  ],
  "src/shell/strict/read-word.ts": [
    ["false", "true", "every caller says whether words may expand"],
    ["at < text.length", "*", NOTHING_THERE],
    ['"="', '""', "the pattern has a = itself"],
    ["expands !== undefined", "true", "what is undefined expands to nothing"],
    ['"glob"', '""', "only whether it expands is looked at"],
    ['"variable"', '""', "only whether it expands is looked at"],
    ['char === "?"', "*", FOR_PEOPLE],
    ['"?"', '""', FOR_PEOPLE],
    ['char === "(" || char === ")"', "*", FOR_PEOPLE],
    ['char === ")"', "*", FOR_PEOPLE],
    ['")"', '""', FOR_PEOPLE],
    ["close < 0", "*", "a quote cannot close at the beginning of the text"],
    ['next === ""', "false", "then the text ends without a quote"],
    ['""', '"Stryker was here!"', "then the text ends without a quote"],
    ["/[\\w\\-./:,@%+=^\\]]+/y", "*", SHORTCUT],
    ["/[*?]+/y", "*", SHORTCUT],
  ],
  "src/shell/strict/scan.ts": [
    ["false", "true", "every caller says whether words may expand"],
    ["end < 0", "*", "nothing ends at the beginning of the text"],
    ["{ doubt: `the line ${delimiter} that ends a here-document is missing` }", "{}", NO_TOKENS],
    ['{ doubt: "two here-documents begin in one line" }', "{}", NO_TOKENS],
    ['{ doubt: "a line continues after the start of a here-document" }', "{}", NO_TOKENS],
    ['{ doubt: "a here-document has no body" }', "{}", NO_TOKENS],
    ['token.kind === "rewire"', "true", "no other kind has a delimiter"],
    ['token?.kind === "rewire"', "true", "it was found by its kind"],
    ['"doubt" in word', "false", "a doubt has no end, so that it is returned by the next condition"],
    ['"doubt"', '""', "a doubt has no end, so that it is returned by the next condition"],
    ["at < text.length", "*", NOTHING_THERE],
  ],
};
