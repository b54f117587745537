const MARK = "\\036";

/**
 * Returns the first script of a terminal's shell. It turns off echo, CRLF translation and history, and makes the shell
 * print a mark (see `createPromptScanner`) whenever it is ready for a command: the number of the last command, its exit code
 * and the folder. The prompt writes the mark, so it appears even after an error, an interrupt or a redirection of the
 * shell's own output.
 */
export function bootScript(token: string): string {
  // The prompt itself is an empty mark: start files check whether there is a prompt, and it must not be visible.
  const prompt = `$'${MARK}${token};;;${MARK}'`;
  const promptCommand = "'{ __toolwright; } 2>/dev/null'";
  return `stty -echo -onlcr 2>/dev/null
set +o history
unset HISTFILE
__toolwright() {
  local status=$?
  if [ $# -gt 0 ]; then
    __toolwright_command=$1
  else
    printf '${MARK}${token};%s;%s;%s${MARK}' "$__toolwright_command" "$status" "$PWD" >/dev/tty
  fi
  PS1=${prompt} PS2=${prompt} PROMPT_COMMAND=${promptCommand}
  return $status
}
readonly -f __toolwright
__toolwright_command=0
PROMPT_COMMAND=${promptCommand}
`;
}

/**
 * Returns the line that runs a command from a file: short, because a terminal cuts long lines, and a single line, because
 * a command that reads its input would consume a second one. It also restores the prompt.
 */
export function commandLine(file: string, number: number): string {
  const restore = `{ __toolwright ${number}; } 2>/dev/null`;
  return `${restore}; . ${quote(file)}; ${restore}`;
}

/** Quotes a word for the shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
