import type { ListedMutants } from "../equivalent.ts";
import { LIMIT, OTHER_TEST, LONG, STRICTER } from "./reasons.ts";

export const SHELL: ListedMutants = {
  "src/shell/strict/group.ts": [
    ["/(?:^|\\/)(?:(?:ba|da|a|z|k|mk|pdk|c|tc|fi|r|s|ya|o)?sh|busybox|…", "*", STRICTER],
  ],
  "src/shell/strict/read-word.ts": [
    ["text.charCodeAt(at - 1) > 127", "*", LIMIT],
    ["next.charCodeAt(0) > 127", "*", LIMIT],
  ],
  "src/shell/may-be-tried.ts": [
    ["/^(?:npm|pnpm|…", "*", STRICTER],
    ["/^(?:install|i|ci|…", "*", STRICTER],
  ],
  "src/shell/syntax/recursive-programs.ts": [
    ["/^--(?:no-in|untr)[a-z]*$/", "/^--(?:no-in|untr)[a-z]*/", STRICTER],
  ],
  "src/shell/read-strictly.ts": [["text.length > MAX_CHARACTERS", "*", LIMIT]],
  "src/shell/reader.ts": [
    ["found.faults.push(fault);", "*", OTHER_TEST],
    ["fault !== undefined", "*", OTHER_TEST],
    ["{ found.faults.push(TOO_COSTLY); return; }", "*", LONG],
    ["found.faults.push(TOO_COSTLY);", "*", LONG],
    ["!spend(found.budget, STEPS_PER_COMMAND + parsed.command.words.length)", "*", LONG],
    ["STEPS_PER_COMMAND + parsed.command.words.length", "*", LIMIT],
    ["proven !== undefined", "true", "a text that is not proven has a doubt"],
    ["cwds.length === 1 && via.length === 0", "false", "a shortcut"],
    ["outer === undefined", "true", "a shortcut: the readers have placed the script"],
    ["hasHiddenCode(script.text.text) && !found.traits.slice(traitCount).every(({ isRe…", "true", STRICTER],
    ["hasHiddenCode(script.text.text) && !found.traits.slice(traitCount).every(({ isRe…", "*", STRICTER],
    ["found.traits.slice(traitCount).every(({ isReadOnly }) => isReadOnly)", "*", STRICTER],
    ["found.traits.slice(traitCount)", "found.traits", STRICTER],
    ["input === undefined || own.input !== undefined", "true", STRICTER],
    [
      "input === undefined || own.input !== undefined",
      "input === undefined && own.input !== undefined",
      STRICTER,
    ],
    ["input === undefined", "false", STRICTER],
    ["input === undefined", "input !== undefined", STRICTER],
    ["own.input !== undefined", "false", STRICTER],
    ["own.input !== undefined", "own.input === undefined", STRICTER],
    ["cwds.length === 1", "true", STRICTER],
    ["cwds.length === 1", "cwds.length !== 1", STRICTER],
    ["inner.cwds.length === 1", "true", STRICTER],
  ],
  "src/shell/programs/describe-command.ts": [
    ["/^\\/dev\\/(?:tcp|udp)\\//", "*", STRICTER],
    [
      "subcommands.length === 0",
      "*",
      "no program of the tables has a reason both for itself and for subcommands",
    ],
    ["listed.push(text);", ";", "what these words do is also known by the paths that they write"],
    ["operands.slice(0, 1)", "operands", STRICTER],
    ['usage.starts?.some(({ kind }) => kind !== "until" && kind !== "values")', "*", STRICTER],
    ["suspected !== true", "true", STRICTER],
    ["true", "false", STRICTER],
    ["use.operands.slice(1)", "use.operands", STRICTER],
  ],
  "src/shell/programs/disasters/disasters.ts": [
    ["/^[-(!]/", "/[-(!]/", "an unusual spelling of the current folder or of an option"],
    ["/^\\.\\/?$/", "/\\.\\/?$/", "an unusual spelling of the current folder or of an option"],
    ["/^\\.\\/?$/", "/^\\.\\/?/", "an unusual spelling of the current folder or of an option"],
    ["/^\\.{1,2}\\/?$/", "/\\.{1,2}\\/?$/", "an unusual spelling of the current folder or of an option"],
    ["/^\\.{1,2}\\/?$/", "/^\\.{1,2}\\/?/", "an unusual spelling of the current folder or of an option"],
    [
      "/^-(?:[HLP]|D|O\\d*)$/",
      "/-(?:[HLP]|D|O\\d*)$/",
      "an unusual spelling of the current folder or of an option",
    ],
  ],
  "src/shell/programs/disasters/ruinous-targets.ts": [
    ["/\\/(?:\\.?\\*|\\{\\*,\\.\\*\\})$/", "/\\/(?:\\.?\\*|\\{\\*,\\.\\*\\})/", STRICTER],
    ["/^\\/(?:usr|var|private)\\/(?:bin|etc|lib|lib64|lib32|libexec|local|sbin|share|log…", "*", STRICTER],
  ],
  "src/shell/programs/disasters/fork-bomb.ts": [
    ["at < from + MAX_BODY", "at <= from + MAX_BODY", LIMIT],
    ["/(?:(?<plain>[^\\s(){};|&<>'\"`$=]{1,64})[ \\t]{0,16}\\([ \\t]{0,16}\\)|\\bfunction[ \\t…", "*", LIMIT],
  ],
  "src/shell/programs/disasters/runs-download.ts": [["SHELL_WORDS.has(name)", "false", STRICTER]],
};
