const MARK = "\\036";

/**
 * What a terminal's shell runs first. From then on it echoes nothing, ends its lines with a plain line feed, keeps no
 * history, and prints a mark (see `createMarkScanner`) each time it is ready for a command: the number of the last
 * command, its exit code, and the folder. The mark is written by the prompt, so it comes whatever the command did: an
 * error that throws the shell back to its prompt, an interrupt, a redirection of the shell's own output.
 */
export function bootScript(token: string): string {
  // The prompt is a mark of its own that says nothing: start files ask whether there is one, and nobody must see it.
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
 * The line that is typed to run a command from a file: short, because a terminal cuts long lines, and one line,
 * because a command that reads its input would swallow a second. What the command did to the prompt is mended.
 */
export function commandLine(file: string, number: number): string {
  const mend = `{ __toolwright ${number}; } 2>/dev/null`;
  return `${mend}; . ${quote(file)}; ${mend}`;
}

/** A word that the shell takes as it is. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
