import type { ListedMutants } from "../equivalent.ts";
import { SHORTCUT, ONLY_FOR_MATCHING, TYPE_ONLY } from "./reasons.ts";

/** The mutants in this room that no test can notice, because they change no decision, with the reason. */
export const PROTECT: ListedMutants = {
  "src/policy/protect/find-protected-read.ts": [
    ["allows.length === 0", "false", SHORTCUT],
    ['"path"', '""', ONLY_FOR_MATCHING],
    ['"read"', '""', ONLY_FOR_MATCHING],
    ["traits?.paths", "traits.paths", TYPE_ONLY],
    ["traits?.isReadOnly", "traits.isReadOnly", TYPE_ONLY],
    ["knowledge?.describe", "knowledge.describe", TYPE_ONLY],
    ["command.redirects.length === 0", "false", SHORTCUT],
    ["[]", '["Stryker was here"]', "no path matches it"],
    ["parts.length === 0", "false", "no command without parts is known"],
  ],
  "src/policy/protect/find-allowing-rule.ts": [
    ["rule.knowledge !== undefined", "true", TYPE_ONLY],
    [
      "knowledge === undefined",
      "false",
      "without tables no command has traits, so nothing is covered either",
    ],
    ["words.every((word) => word.literal)", "*", "the words of a proven command are literal"],
    [
      "words.length > 0 && words.every((word) => word.literal)",
      "words.length > 0 || words.every(word => word.literal)",
      "the words of a proven command are literal",
    ],
    ["part.traits?.listedFlags", "part.traits.listedFlags", TYPE_ONLY],
    ["traits?.isReadOnly", "traits.isReadOnly", TYPE_ONLY],
    ["redirects.length > 0", "*", "a part without words and assignments has a redirect"],
    ["writes.length > 0", "*", "a proven command that writes by a redirect names the file"],
  ],
  "src/policy/protect/protected-files.ts": [['""', '"Stryker was here!"', "no path is this exception"]],
  "src/policy/protect/protected-reads.ts": [
    ["own !== undefined", "true", TYPE_ONLY],
    ["/^\\*\\.[^/*.]+$/", "*", "an entry that is no ending is matched by the pattern of all others"],
    ["entries.filter((entry) => ENDING.test(entry))", "entries", "no other entry, cut, is an ending"],
    ["entries.filter((entry) => !ENDING.test(entry))", "entries", "endings may be in the pattern too"],
    ["[...new Set(rest.map(clueOf))]", "*", SHORTCUT],
    ['entry.startsWith(".")', "false", SHORTCUT],
    ["`/\\.`", "``", SHORTCUT],
    ["/\\*.*/", "*", SHORTCUT],
    ["/^\\//", "*", SHORTCUT],
    ["ALL.filter((path) => path.startsWith(HOME))", "ALL", "no path of a call is relative"],
    ["home === undefined", "false", TYPE_ONLY],
    ["own === undefined", "false", "no path of a call is in a folder of this name"],
    ["[]", '["Stryker was here"]', "no path of a call has this name"],
    ['""', '"Stryker was here!"', "no protected path has this name"],
    ["/^~(?=\\/)/", "*", "of other names with a tilde the end decides"],
    ["/^~/", "/~/", "no entry has another tilde"],
    ["/[*?[{]/", "/[^*?[{]/", SHORTCUT],
    ["pattern === name", "false", "a name without signs matches itself"],
    ['"x"', '""', "the stars of these entries are parts of names"],
  ],
  "src/policy/protect/protected.ts": [
    ["!MAGIC.test(written)", "false", SHORTCUT],
    ['"/."', '""', SHORTCUT],
    ["[]", '["Stryker was here"]', "no path is in this folder"],
  ],
  "src/policy/protect/shell-pattern.ts": [
    ["!/[[(]/.test(pattern)", "false", SHORTCUT],
    ["/[[(]/", "/[^[(]/", SHORTCUT],
  ],
  "src/policy/protect/workspace-boundary.ts": [
    ['"path"', '""', ONLY_FOR_MATCHING],
    ['"read"', '""', ONLY_FOR_MATCHING],
    ['""', '"Stryker was here!"', TYPE_ONLY],
  ],
  "src/policy/protect/ways-out.ts": [["program === undefined", "false", TYPE_ONLY]],
};
