import type { Word } from "../../core/command.ts";

/** Returns the command in `core.pager=less`, `alias.x=!ls`, `exec=ls`, `ProxyCommand ls` and `!ls`. */
export function bareText({ text, literal }: Word): readonly Word[] {
  const bare = text.replace(/^[A-Za-z][\w.-]*\s*=\s*!?|^\w*command\s+|^!\s*/i, "");
  return bare === text ? [] : [{ text: bare, literal }];
}

/** Returns the words of `-exec`, in which `{}` is a file name. */
export function withFoundNames(words: readonly Word[]): readonly Word[] {
  const replaced = words.map((word) =>
    word.text.includes("{}") ? { text: word.text, literal: false } : word,
  );
  return replaced.some(({ literal }) => !literal) ? replaced : [...replaced, { text: "", literal: false }];
}
