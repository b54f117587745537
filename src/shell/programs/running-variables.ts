import type { Word } from "../../core/command.ts";

/** Variables whose value some program has a shell run: pagers, editors, what asks for a password, what connects, and prompts. */
const RUNNING =
  /^(?:\w*PAGER|\w*EDITOR|VISUAL|FCEDIT|\w*_ASKPASS|GIT_SSH(?:_COMMAND)?|GIT_(?:PROXY_COMMAND|EXTERNAL_DIFF)|LESS(?:OPEN|CLOSE)|PROMPT_COMMAND|PS[0-4]|BROWSER|(?:RSYNC|CVS)_RSH|SVN_SSH)\+?=[|!-]*(?<text>[^]+)$/;

/** The command in an assignment like `GIT_PAGER=less`; undefined for a variable that nobody runs. */
export function commandInAssignment({ text, literal }: Word): Word | undefined {
  const command = RUNNING.exec(text)?.groups?.["text"];
  return command === undefined ? undefined : { text: command, literal };
}
