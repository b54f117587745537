import { ToolError } from "../../../core/errors.ts";
import type { Command } from "../../terminal/input/command.ts";
import { SHELLS } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/refuse-arguments.ts";
import { completeArguments } from "./complete-arguments.ts";

/** Each script asks `toolwright completion --words` for the candidates of the word under the cursor. */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_toolwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  # A value behind key= is a file name more often than anything else: bash completes those itself.
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
    words: { summary: "print the candidates for the last of the words behind --; for the scripts" },
  },
  examples: [
    { line: "completion bash >> ~/.bashrc", does: "for good" },
    { line: "completion fish | source", does: "for this fish" },
  ],
  async run({ positionals, flags }, { output, commands }) {
    if (flags["words"] === true) {
      const words = await completeArguments(positionals, commands);
      await output.print(words.map((word) => `${word}\n`).join(""));
      return 0;
    }
    refuseArguments(positionals.slice(1));
    const shell = SHELLS.find((one) => one === positionals[0]);
    if (shell === undefined) {
      throw new ToolError("INVALID_INPUT", `name a shell: ${SHELLS.join(", ")}`, {
        hint: "for instance: toolwright completion bash",
      });
    }
    await output.print(SCRIPTS[shell]);
    return 0;
  },
};
