import type { Word } from "../../../core/command.ts";
import type { FoundPath, Use } from "./program.ts";

/** Settings of git that name a program, a file of settings or a folder of hooks. */
const RUNNING =
  /^(?:core\.(?:hookspath|fsmonitor|pager|editor|sshcommand|gitproxy|askpass|alternaterefscommand|attributesfile|worktree)|diff\.external|sequence\.editor|interactive\.difffilter|init\.templatedir|uploadpack\.packobjectshook|(?:pager|include|includeif|protocol|hook)\..+|submodule\..+\.update|.+\.(?:command|cmd|textconv|driver|clean|smudge|process|helper|program|vcs|uploadpack|receivepack|defaultkeycommand))$/i;

/**
 * The file that `git config` writes a setting to that can run code; nothing where it only tells, or where the setting
 * runs nothing. Which of git's files it is hangs on where it runs, so it is only suspected.
 */
export function configWrites(use: Use): readonly FoundPath[] {
  const { flags, operands } = use;
  const uses = (...names: readonly string[]): boolean => flags.some(({ flag }) => names.includes(flag.name));
  const tells = uses("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l");
  if (tells || !setsRunning(operands)) return [];
  const named = flags.filter(({ flag }) => flag.name === "-f").flatMap(({ values }) => values);
  const own = { text: uses("--global") ? "~/.gitconfig" : ".git/config", literal: true };
  return (named.length > 0 ? named : [own]).map((word) => ({ word, access: "write", isSuspected: true }));
}

/** A name with a value behind it, also behind `set`. An alias runs a shell where it begins with `!`. */
function setsRunning(operands: readonly Word[]): boolean {
  const at = operands.findIndex(
    ({ text, literal }) => !literal || RUNNING.test(text) || /^alias\./i.test(text),
  );
  const [name, value] = operands.slice(at < 0 ? operands.length : at);
  if (name === undefined || value === undefined) return false;
  return RUNNING.test(name.text) || !name.literal || !value.literal || value.text.startsWith("!");
}
