import { program, programs } from "./lines.ts";
import type { Program, Use } from "./program.ts";

/** Shells and their builtins. */
export const shells = (): readonly Program[] => [
  program(
    "bash sh zsh dash ksh mksh ash rbash fish csh tcsh elvish xonsh nu pwsh powershell cmd yash rc osh",
    "shell",
    { starts: [{ kind: "shell" }], ungrantable: "shell" },
  ),
  program("eval", "none", { stopsAtOperand: true, starts: [{ kind: "joined" }], ungrantable: "shell" }),
  program("trap", "none -l -p -P", { starts: [{ kind: "first" }], ungrantable: "shell" }),
  program(". source", "script", { stopsAtOperand: true, starts: [{ kind: "source" }], ungrantable: "shell" }),
  program("alias", "none -p", { starts: [{ kind: "values" }, { kind: "state" }], ungrantable: "shell" }),
  ...programs(
    {
      "mapfile readarray complete compgen": "looks -c= -d= -n= -O= -s= -t -u= ! -C=x -W=x",
      "export declare typeset local readonly set unset read let getopts": "looks",
      "shopt setopt enable bind compopt autoload zmodload emulate functions": "looks",
      "history fc umask disown bg fg suspend logout caller unalias hash abbr": "looks",
    },
    { lists: wordsThatSet, starts: [{ kind: "state" }], ungrantable: "shell" },
  ),
];

/** Variables that change what later commands do. */
function wordsThatSet({ operands, unknown }: Use): Use["operands"] {
  return [...operands, ...unknown];
}
