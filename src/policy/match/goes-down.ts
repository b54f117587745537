import type { SimpleCommand } from "../../core/command.ts";

/** Programs that go down into folders: always, or with such a word among their arguments. */
const GOES_DOWN: ReadonlyMap<string, RegExp> = new Map([
  ...["rg", "ag", "ack", "fd", "fdfind", "tar", "bsdtar", "zip", "7z", "rsync", "mv"].map(
    (name) => [name, /^/] as const,
  ),
  ...["grep", "egrep", "fgrep", "zgrep", "ugrep"].map(
    (name) => [name, /^(?:-[^-]*[rRd]|--(?:r|dir|dereference-r))/] as const,
  ),
  ...["cp", "scp", "diff", "rm"].map((name) => [name, /^(?:-[^-]*[rRa]|--(?:r|arch))/] as const),
  // Files that are in no history; secrets are kept out of one.
  ["git", /^--(?:no-in|untr)[a-z]*$/],
  ["find", /^-(?:delete|exec|ok|fls|fprint)/],
  ...["chmod", "chown", "chgrp"].map((name) => [name, /^(?:-[^-]*R|--r)/] as const),
]);

/** True for a command that looks at what is in the folders it is given, or in the one where it is started. */
export function goesDown(program: string, { words }: SimpleCommand): boolean {
  const sign = GOES_DOWN.get(program);
  return sign !== undefined && (sign.test("") || words.some(({ text }) => sign.test(text)));
}
