/** A command of an editor language with its line, glued to its argument: `1r.env`, `wfile`, `2erm`. */
const EDITOR_COMMAND = /^(?:\d|\$)*[erRwW](?=.)/;

/** Returns a word of code, and what is left of it if it begins with a command of an editor language. */
export function withoutEditorCommand(word: string): readonly string[] {
  const rest = word.replace(EDITOR_COMMAND, "");
  return rest === word ? [word] : [word, rest];
}
