import type { Word } from "../../core/command.ts";
import { isReserved, leavesShellAlone } from "../syntax/shell-builtins.ts";
import type { WordToken } from "./token.ts";

/** Variables that decide where `cd` goes. */
const PLACE_VARIABLE = /^(?:HOME|CDPATH|PWD|OLDPWD)=/;

/** Programs that run what they are given to read, whoever starts them. */
const RUNS_INPUT = /(?:^|\/)(?:(?:ba|da|a|z|k|mk|pdk|c|tc|fi|r|s|ya|o)?sh|busybox|xargs|parallel)$/;

export interface CommandWords {
  /** The program, as it was written; none for a bare redirection or assignment. */
  readonly first: WordToken | undefined;
  readonly words: readonly Word[];
  readonly assignments: readonly Word[];
  readonly hasDocument: boolean;
}

/** Why these words may be more than one program with its arguments; undefined where they are no more than that. */
export function doubtOfCommand({ first, words, assignments, hasDocument }: CommandWords): string | undefined {
  if (assignments.some(({ text }) => PLACE_VARIABLE.test(text))) return "an assignment changes where cd goes";
  if (first === undefined) return undefined;
  const name = first.text;
  if (isReserved(name)) return `${name} is a word of the shell's grammar`;
  if (name === "") return "the program has no name";
  if (first.hasBrace) return "the program's name has braces";
  if (name.startsWith("%")) return "bash takes the program's name for a job";
  if (name.includes("=")) return "the program's name has a =, which may make it an assignment";
  if (!leavesShellAlone(words)) return `${name} may change the shell, or run text in it`;
  if (hasDocument && words.some(({ text }) => RUNS_INPUT.test(text)))
    return "a here-document is read by what runs it";
  return undefined;
}
