import type { ListedMutants } from "../equivalent.ts";
import { SHORTCUT, TYPE_ONLY } from "./reasons.ts";

/** The mutants in this room that no test can notice, because they change no decision, with the reason. */
export const SHELL: ListedMutants = {
  "src/shell/may-be-tried.ts": [
    ['name === ""', "false", "an empty name is that of no program"],
    ['""', '"Stryker was here!"', "an empty name is that of no program"],
    ["findProgram(name) === program", "true", "it was found by the same name"],
    [
      "/^(?:docker|podman|nerdctl|kubectl|docker-compose|podman-compose)$/",
      "*",
      "no other runner has such a name",
    ],
  ],
  "src/shell/reads-in-box.ts": [
    ["{ cwd, home }", "{}", "the folders of a command are not looked at here"],
    ["first === undefined || program === undefined", "*", "a command without words has no program"],
    ["first === undefined", "false", "a command without words has no program"],
    ["program === undefined", "false", "a program without a table has no known name"],
    ['use.usage.starts?.some(({ kind }) => kind !== "until")', "*", "no program has both kinds"],
    ["words.slice(1)", "words", "the name of a program is literal"],
    ['""', '"Stryker was here!"', "what replaces it has no sign that is looked for"],
    ['name !== "git"', "false", "no other program that reads has this subcommand"],
  ],
  "src/shell/programs/basic-commands.ts": [
    ["words.length === 1", "false", "an empty word is no flag"],
    ["[]", '["Stryker was here"]', "no flag: words that are none are safe anyway"],
    ['"-vv"', '""', "two letters that are safe"],
    ['"HEAD"', '""', "no flag: words that are none are safe anyway"],
  ],
  "src/shell/programs/describe-command.ts": [
    ["described.set(parsed.command, traits);", "*", "a cache: without it the same is computed again"],
    ["reason !== undefined", "true", "undefined is no reason either"],
    ["program === undefined", "false", TYPE_ONLY],
    ["lists !== program.lists", "false", "the same flags twice"],
    ['{ names: "" }', "{}", "the names of a program that is not known are not read"],
    ['""', '"Stryker was here!"', "the names of a program that is not known are not read"],
  ],
  "src/shell/programs/disasters/disaster-rules.ts": [
    ['"lvs"', '""', "an example of another command"],
    ['"vgs"', '""', "an example of another command"],
    ['"lsblk"', '""', "an example of another command"],
  ],
  "src/shell/programs/disasters/disasters.ts": [
    ["!words.some(namesDevice) && !redirects.some(({ target }) => namesDevice(target))", "false", SHORTCUT],
    ['text.includes("dev") || text.includes("proc")', "true", SHORTCUT],
    ['"dev"', '""', SHORTCUT],
    ['"proc"', '""', SHORTCUT],
    ["end < 0", "false", "the last word is then an action, which is no folder"],
  ],
  "src/shell/programs/disasters/fork-bomb.ts": [
    ['!text.includes("&") || !text.includes("{")', "*", SHORTCUT],
    ['"&"', '""', SHORTCUT],
    ['"{"', '""', SHORTCUT],
    ["/[\\s;|&(){}]+/", "*", "empty words are left out"],
  ],
  "src/shell/programs/disasters/ruinous-targets.ts": [
    [
      "/^(?:~[\\w.-]*|\\$\\{?(?:HOME|PWD|OLDPWD)\\}?)(?:\\/+(?:\\.?\\*|\\.)?)*$/",
      "/^(?:~[\\w.-]*|\\$\\{?(?:HOME|PWD|OLDPWD)\\}?)(?:\\/(?:\\.?\\*|\\.)?)*$/",
      "the group repeats",
    ],
    ["/^\\.{1,2}(?:\\/+\\.{0,2})*$/", "/^\\.{1,2}(?:\\/\\.{0,2})*$/", "the group repeats"],
    ['"/"', '""', "the path is absolute"],
  ],
  "src/shell/programs/disasters/runs-download.ts": [
    ["commands.length < 2", "false", "no program both downloads and runs its input"],
    ['text !== "/dev/stdin"', "true", "the second condition finds it"],
    ['"/dev/stdin"', '""', "one of both conditions finds it"],
    ['text === "-"', "false", "a dash alone leaves no words"],
    ['"-"', '""', "a dash alone leaves no words"],
  ],
  "src/shell/syntax/network-programs.ts": [
    ['""', '"Stryker was here!"', "no program has this name"],
    ['text === ""', "*", "an expanded word has a sign of the expansion"],
  ],
  "src/shell/syntax/recursive-programs.ts": [
    ['""', '"Stryker was here!"', "only the pattern that matches everything matches either"],
  ],
};
