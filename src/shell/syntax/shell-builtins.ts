import type { Word } from "../../core/command.ts";

/** The builtins of bash, dash and related shells; a program of the same name may behave differently. */
const BUILTINS: ReadonlySet<string> = new Set(
  (
    ". : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue declare dirs disown echo " +
    "enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf " +
    "pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit " +
    "umask unalias unset wait"
  ).split(" "),
);

/** Builtins that run no text and do not change how later commands are parsed and found. */
const PLAIN_BUILTINS: ReadonlySet<string> = new Set(
  ": [ cd dirs echo exit false kill popd printf pushd pwd test times true type ulimit umask wait".split(" "),
);

/**
 * With such an argument, other arguments name a variable: bash sets it (`printf ab%n PATH`) and runs its subscript as code
 * (`test -v 'a[$(id)]'`).
 */
const NAMES_VARIABLE: Readonly<Record<string, RegExp>> = {
  printf: /^-v|%[-+ #0'*.\dhjlLtz]*n/,
  test: /^-[vR]$/,
  "[": /^-[vR]$/,
  wait: /^-/,
};

const RESERVED: ReadonlySet<string> = new Set(
  "! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while".split(
    " ",
  ),
);

/** Returns true for a command that a shell may run itself instead of starting a program. */
export function isBuiltin(name: string): boolean {
  return BUILTINS.has(name);
}

/** Returns true for a word that is a keyword in some shell in the position of a program name. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Returns true for a program, and for a builtin that affects the shell no more than a program could. */
export function leavesShellAlone(words: readonly Word[]): boolean {
  const name = words[0]?.text ?? "";
  if (!BUILTINS.has(name)) return true;
  if (name === "command" && /^-[vV]$/.test(words[1]?.text ?? "")) return true;
  if (!PLAIN_BUILTINS.has(name)) return false;
  const names = Object.hasOwn(NAMES_VARIABLE, name) ? NAMES_VARIABLE[name] : undefined;
  return names === undefined || !words.slice(1).some(({ text }) => names.test(text));
}
