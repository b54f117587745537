import { ToolError } from "../../../core/errors.ts";
import { SHELLS, type Command } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { completeArguments } from "./complete-arguments.ts";

/** Each script runs `toolwright completion --words` to complete the argument under the cursor. */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_toolwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  # A value after key= is usually a file name, which bash completes itself.
  [[ $current == "=" || \${COMP_WORDS[COMP_CWORD-1]} == "=" ]] && return
  while IFS= read -r line; do
    [[ $line == "$current"* ]] && COMPREPLY+=("$line")
  done < <(toolwright completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _toolwright toolwright
`,
  zsh: `#compdef toolwright
_toolwright() {
  local -a found
  found=("\${(@f)$(toolwright completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -S '' -- \${(M)found:#*=} && return
  compadd -- \${found:#*=} && return
  _files
}
compdef _toolwright toolwright
`,
  fish: `function __toolwright_words
  set -l words (commandline -opc) (commandline -ct)
  toolwright completion --words -- $words[2..-1] 2>/dev/null
end
complete -c toolwright -f -a '(__toolwright_words)'
`,
};

export const completion: Command = {
  name: "completion",
  summary: "print a completion script for a shell",
  usage: "bash | zsh | fish",
  positionals: ["shell"],
  flags: {
    words: { summary: "print the completions of the last argument after --; used by the scripts" },
  },
  examples: [
    { line: "completion bash >> ~/.bashrc", does: "install it for bash" },
    { line: "completion fish | source", does: "load it in the current fish" },
  ],
  async run({ positionals, flags }, world) {
    const { output } = world;
    if (flags["words"] === true) {
      const candidates = await completeArguments(positionals, world);
      await output.print(candidates.map((candidate) => `${candidate}\n`).join(""));
      return 0;
    }
    refuseArguments(positionals.slice(1));
    const shell = SHELLS.find((one) => one === positionals[0]);
    if (shell === undefined) {
      throw new ToolError("INVALID_INPUT", `missing or unknown shell; expected ${SHELLS.join(", ")}`, {
        hint: "example: toolwright completion bash",
      });
    }
    await output.print(SCRIPTS[shell]);
    return 0;
  },
};
