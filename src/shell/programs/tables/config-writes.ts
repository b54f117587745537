import type { Word } from "../../../core/command.ts";
import type { FoundPath, Use } from "./program.ts";

/** Settings of git that name a program, a config file or a hooks folder. */
const RUNNING =
  /^(?:core\.(?:hookspath|fsmonitor|pager|editor|sshcommand|gitproxy|askpass|alternaterefscommand|attributesfile|worktree)|diff\.external|sequence\.editor|interactive\.difffilter|init\.templatedir|uploadpack\.packobjectshook|(?:pager|include|includeif|protocol|hook)\..+|submodule\..+\.update|.+\.(?:command|cmd|textconv|driver|clean|smudge|process|helper|program|vcs|uploadpack|receivepack|defaultkeycommand))$/i;

/**
 * Returns the file to which `git config` writes a setting that can run code; empty if it only prints, or if the setting
 * runs nothing. The file depends on the working folder, so it is only suspected.
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

/** Returns true for a name followed by a value, also after `set`. An alias runs a shell if it begins with `!`. */
function setsRunning(operands: readonly Word[]): boolean {
  const at = operands.findIndex(
    ({ text, literal }) => !literal || RUNNING.test(text) || /^alias\./i.test(text),
  );
  const [name, value] = operands.slice(at < 0 ? operands.length : at);
  if (name === undefined || value === undefined) return false;
  return RUNNING.test(name.text) || !name.literal || !value.literal || value.text.startsWith("!");
}
