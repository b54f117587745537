import type { Word } from "../../core/command.ts";

/** Every command that bash or dash (and its kin) have built in; the program of that name, if there is one, may differ. */
const BUILTINS: ReadonlySet<string> = new Set(
  (
    ". : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue declare dirs disown echo " +
    "enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf " +
    "pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit " +
    "umask unalias unset wait"
  ).split(" "),
);

/** Those that run no text, and change nothing about how what follows is read and found. */
const PLAIN_BUILTINS: ReadonlySet<string> = new Set(
  ": [ cd dirs echo exit false kill popd printf pushd pwd test times true type ulimit umask wait".split(" "),
);

/**
 * With a word like this the others name a variable: bash sets it (`printf ab%n PATH`), and runs its subscript as code
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

/** True for a command that a shell may run itself instead of starting a program. */
export function isBuiltin(name: string): boolean {
  return BUILTINS.has(name);
}

/** True for a word that is grammar, in one shell or another, where a program's name could stand. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** True for a program, and for a builtin that does with these words what a program could do. */
export function leavesShellAlone(words: readonly Word[]): boolean {
  const name = words[0]?.text ?? "";
  if (!BUILTINS.has(name)) return true;
  if (!PLAIN_BUILTINS.has(name)) return false;
  const names = Object.hasOwn(NAMES_VARIABLE, name) ? NAMES_VARIABLE[name] : undefined;
  return names === undefined || !words.slice(1).some(({ text }) => names.test(text));
}
