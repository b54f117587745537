import type { Word } from "../../../core/command.ts";
import type { Program, Use } from "./program.ts";
import { ONLY_RUNS_REST, RUNS_REST } from "./runs-rest.ts";

/** Shells and their builtins. */
export const SHELL_PROGRAMS: readonly Program[] = [
  {
    names:
      "bash sh zsh dash ksh mksh ash rbash fish csh tcsh elvish xonsh nu pwsh powershell cmd yash rc osh",
    operands: "shell",
    starts: [{ kind: "shell" }],
    version: ["--version"],
    ungrantable: "shell",
  },
  {
    names: "eval",
    operands: "none",
    stopsAtOperand: true,
    starts: [{ kind: "joined" }],
    ungrantable: "shell",
  },
  {
    names: "trap",
    flags: { safe: "-l -p -P" },
    operands: "none",
    starts: [{ kind: "first" }],
    ungrantable: "shell",
  },
  {
    names: ". source",
    operands: "script",
    stopsAtOperand: true,
    starts: [{ kind: "source" }],
    ungrantable: "shell",
  },
  {
    names: "alias",
    flags: { safe: "-p" },
    operands: "none",
    starts: [{ kind: "values" }, { kind: "state" }],
    ungrantable: "shell",
  },
  { ...RUNS_REST, names: "exec", flags: { safe: "-c -l -a=" } },
  {
    ...ONLY_RUNS_REST,
    names: "command",
    flags: { safe: "-p -v,-V" },
    starts: [{ kind: "rest", notWith: "-v" }],
  },
  { ...RUNS_REST, names: "builtin coproc noglob nocorrect" },
  { names: "cd chdir", flags: { safe: "-L -P -e -@" }, operands: "home", readOnly: true },
  { names: "pushd popd dirs", flags: { safe: "-n -l -p -v" }, operands: "read", readOnly: true },
  { names: "true false :", operands: "none", stopsAtOperand: true, readOnly: true },
  {
    names: "sleep wait exit return break continue shift",
    operands: "none",
    readOnly: true,
    proves: hasNoSubscript,
  },
  {
    names: "jobs times ulimit",
    flags: { safe: "-l -p -r -s -a" },
    operands: "none",
    readOnly: true,
    proves: ({ operands }) => operands.length === 0,
  },
  {
    names: "test [",
    hasWordFlags: true,
    flags: {
      safe: "-a -b -c -d -e -f -g -h -k -L -n -N -o -O -G -p -r -s -S -t -u -w -x -z -eq -ne -lt -le -gt -ge -nt -ot -ef",
      // Both evaluate the subscript of an array as arithmetic, which runs substitutions in it.
      executes: "-v -R",
    },
    operands: "looks",
    readOnly: true,
    proves: hasNoSubscript,
  },
  {
    names: "type",
    flags: { safe: "-a -f -t -P -p" },
    operands: "none",
    readOnly: true,
    proves: ({ operands }) => operands.length > 0,
  },
  {
    names: "mapfile readarray complete compgen",
    flags: { safe: "-c= -d= -n= -O= -s= -t -u=", executes: "-C=x -W=x" },
    operands: "looks",
    lists: wordsThatSet,
    starts: [{ kind: "state" }],
    ungrantable: "shell",
  },
  {
    names:
      "export declare typeset local readonly set unset read let getopts shopt setopt enable bind compopt history fc umask disown bg fg suspend logout caller unalias hash autoload zmodload emulate functions abbr",
    operands: "looks",
    lists: wordsThatSet,
    starts: [{ kind: "state" }],
    ungrantable: "shell",
  },
];

function hasNoSubscript({ operands }: Use): boolean {
  return operands.every(({ text }) => !text.includes("["));
}

/** Variables that change what later commands do. */
function wordsThatSet({ operands, unknown }: Use): readonly Word[] {
  return [...operands, ...unknown];
}
