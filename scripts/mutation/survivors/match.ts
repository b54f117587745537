import type { ListedMutants } from "../equivalent.ts";
import { STRICTER, LIMIT, LONG } from "./reasons.ts";

export const MATCH: ListedMutants = {
  "src/policy/match/command-part.ts": [
    [
      "words.slice(1).filter((word) => word.literal)",
      "words.slice(1)",
      "with expanded words a deny matches certainly or possibly: the command does not run either way",
    ],
    ["/^(?:apply|am)$/", "/(?:apply|am)$/", STRICTER],
    ["/^(?:apply|am)$/", "/^(?:apply|am)/", STRICTER],
  ],
  "src/policy/match/command-view.ts": [
    ['"\\\\"', '""', "a shortcut for texts without a backslash"],
    ["this.parts .filter(({ runsCode, isKnown }) => runsCode || !isKnown)", "this.parts", STRICTER],
    ["runsCode || !isKnown", "true", STRICTER],
    ['"code"', '""', STRICTER],
    ["/(?<=\\w)(?:\\\\|''|\"\")+(?=\\w)/g", "/(?<=\\w)(?:\\\\|''|\"\")(?=\\w)/g", STRICTER],
    ["/(?<!\\\\)\\\\+(?:[fnrtv]|0?1[1-5]|040|x(?:0[9a-d]|20)|u00(?:0[9a-d]|20))/gi", "*", STRICTER],
  ],
  "src/policy/match/compile-rule.ts": [['"built-in"', '""', STRICTER]],
  "src/policy/match/hosts-in.ts": [
    ["/^url\\.|\\.(?:push)?insteadof$/gi", "/url\\.|\\.(?:push)?insteadof$/gi", STRICTER],
    ["word.length > MAX_WORD", "false", LIMIT],
    ["parts.slice(0, 16)", "parts", LIMIT],
    ["[piece]", "[]", "stricter, or the same: more texts are compared with the hosts of rules"],
    [
      'rest.startsWith("[") || /:.*:/s.test(rest)',
      "true",
      "stricter, or the same: more texts are compared with the hosts of rules",
    ],
    [
      'rest.startsWith("[")',
      'rest.endsWith("[")',
      "stricter, or the same: more texts are compared with the hosts of rules",
    ],
    ['"["', '""', "stricter, or the same: more texts are compared with the hosts of rules"],
    ['"-"', '""', "stricter, or the same: more texts are compared with the hosts of rules"],
    [
      "/\\{[^{}\\s]*,|\\[[^[\\]\\s:]+-/",
      "/\\{[^{}\\s]*,|\\[[^[\\]\\s:]-/",
      "stricter, or the same: more texts are compared with the hosts of rules",
    ],
    [
      "/^(?:0+|0x0*)(?:\\.(?:0+|0x0*)){0,2}$/i",
      "/^(?:0|0x0*)(?:\\.(?:0+|0x0*)){0,2}$/i",
      "stricter, or the same: more texts are compared with the hosts of rules",
    ],
    [
      "/^(?:0+|0x0*)(?:\\.(?:0+|0x0*)){0,2}$/i",
      "/^(?:0+|0x0)(?:\\.(?:0+|0x0*)){0,2}$/i",
      "stricter, or the same: more texts are compared with the hosts of rules",
    ],
    [
      "/^(?:0+|0x0*)(?:\\.(?:0+|0x0*)){0,2}$/i",
      "/^(?:0+|0x0*)(?:\\.(?:0|0x0*)){0,2}$/i",
      "stricter, or the same: more texts are compared with the hosts of rules",
    ],
    [
      "/^(?:0+|0x0*)(?:\\.(?:0+|0x0*)){0,2}$/i",
      "/^(?:0+|0x0*)(?:\\.(?:0+|0x0)){0,2}$/i",
      "stricter, or the same: more texts are compared with the hosts of rules",
    ],
  ],
  "src/policy/match/match-command.ts": [
    ['"possible"', '""', "a word that is not literal makes the match possible anyway"],
    ["/^-[^-=][^=]+$/", "*", "no flag of a rule has this form"],
    [
      "Array.from(flag.slice(1)).every((letter) => flags.has(`-${letter}`))",
      "*",
      "a cluster and its letters are read together",
    ],
    [
      'argumentMatch === "none"',
      "true",
      "approval instead of a refusal, for a shell whose arguments are not understood",
    ],
    [
      "listed.every((flag) => named.has(flag))",
      "*",
      "a command with two acting options of which the rule names one",
    ],
    ["false", "true", "asked only about a program with a path, in a command with tables"],
    [
      'program === undefined || !program.text.includes("/")',
      "false",
      "asked only about a program with a path, in a command with tables",
    ],
    [
      'program === undefined || !program.text.includes("/")',
      'program === undefined && !program.text.includes("/")',
      "asked only about a program with a path, in a command with tables",
    ],
    ['"/"', '""', "asked only about a program with a path, in a command with tables"],
    [
      "cwds.length === 1 && cwd !== undefined",
      "true",
      "asked only about a program with a path, in a command with tables",
    ],
    [
      "cwds.length === 1 && cwd !== undefined",
      "cwds.length === 1 || cwd !== undefined",
      "asked only about a program with a path, in a command with tables",
    ],
    ["cwds.length === 1", "true", "asked only about a program with a path, in a command with tables"],
    [
      "command.words.slice(0, count)",
      "command.words",
      "asked only about a program with a path, in a command with tables",
    ],
  ],
  "src/policy/match/words-in.ts": [
    ["glued > 0", "glued >= 0", "a word twice, or one more"],
    ['""', '"Stryker was here!"', "a word twice, or one more"],
    ["/^-[A-Za-z]+./", "/-[A-Za-z]+./", "a word twice, or one more"],
    ["/^-[A-Za-z]+./", "/^-[A-Za-z]./", "a word twice, or one more"],
  ],
  "src/policy/match/written-files.ts": [
    ["part.command.input !== undefined", "true", STRICTER],
    ["words.slice(1)", "words", STRICTER],
    ["[]", '["Stryker was here"]', "the name of a script is one name, and a program without tables has none"],
    [
      "namesIn(text).some((name) => isOneOf(name, written.hidden))",
      "namesIn(text).every(name => isOneOf(name, written.hidden))",
      "the name of a script is one name, and a program without tables has none",
    ],
  ],
  "src/policy/match/match-code.ts": [
    ["codePaths.length > MAX_PATHS", "*", LONG],
    ["fold(name) === pattern.program", "true", STRICTER],
    ["bareWords(view, pattern.program).filter(isNamed)", "bareWords(view, pattern.program)", STRICTER],
    ["places.some((index) => { const texts = [pattern.program, ...words.slice(index + …", "*", STRICTER],
    ["index + 1", "index - 1", STRICTER],
    ["parts.length > 0", "true", STRICTER],
    ["parts.length > 0", "parts.length >= 0", STRICTER],
    ["traits?.isReadOnly === true", "false", STRICTER],
    ["/^[\\w./~=+@-]+$/", "/[\\w./~=+@-]+$/", STRICTER],
    ["/^[\\w./~=+@-]+$/", "/^[\\w./~=+@-]+/", STRICTER],
  ],
  "src/policy/match/match-path.ts": [['"/"', '""', "the base of a pattern that is absolute"]],
  "src/policy/match/match-rule.ts": [
    ['"possible"', '""', "the comparison is a shortcut: other paths are looked at too"],
  ],
  "src/policy/match/may-touch.ts": [
    ["input !== undefined", "true", STRICTER],
    ['from === "file"', "false", STRICTER],
    ['"file"', '""', STRICTER],
    ["!runsCode || traits?.isReadOnly === true", "false", STRICTER],
    ["!runsCode || traits?.isReadOnly === true", "!runsCode && traits?.isReadOnly === true", STRICTER],
    ["traits?.isReadOnly === true", "false", STRICTER],
    ["/^g?sed$/", "/g?sed$/", STRICTER],
    ["/^g?sed$/", "/^g?sed/", STRICTER],
    ["traits?.listedFlags.length !== 0", "true", STRICTER],
    ["redirects.length === 0 && !isOpen && !isFolderUnknown", "false", STRICTER],
  ],
  "src/policy/match/subject.ts": [
    ["commands.length > 0", "false", "a command is open-ended too, which is the next condition"],
  ],
};
