import type { SimpleCommand, Word } from "../../../src/core/command.ts";

/** Words apart by blanks; single quotes hold one together, and a `$` outside of them makes one that is not literal. */
export function wordsOf(text: string): readonly Word[] {
  const parts = text.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return parts.map((part) => ({
    text: part.replaceAll("'", ""),
    literal: !part.replaceAll(/'[^']*'/g, "").includes("$"),
  }));
}

/** A plain command in the folder `/w`, of words apart by blanks. */
export function commandOf(text: string, more: Partial<SimpleCommand> = {}): SimpleCommand {
  return { words: wordsOf(text), assignments: [], redirects: [], cwds: ["/w"], via: [], ...more };
}
