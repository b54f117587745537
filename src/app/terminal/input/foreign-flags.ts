/** Flags of other agents' command lines, with the flags and words that do the same here. */
const FOREIGN: Readonly<Record<string, string>> = {
  "--yolo": "--mode yolo",
  "--dangerously-skip-permissions": "--mode yolo",
  "--dangerously-bypass-approvals-and-sandbox": "--mode yolo",
  "--full-auto": "--mode edits --sandbox auto",
  "--permission-mode": "--mode MODE",
  "--approval-mode": "--mode MODE",
  "--ask-for-approval": "--mode MODE",
  "--allowed-tools": "--allow PATTERN, once for each",
  "--allowedTools": "--allow PATTERN, once for each",
  "--disallowed-tools": "--deny PATTERN, once for each",
  "--disallowedTools": "--deny PATTERN, once for each",
  "--include-directories": "--add-dir FOLDER, once for each",
  "--output-last-message": "--output FILE",
  "--prompt": '"TASK", without a flag',
  "--prompt-interactive": '-i "MESSAGE"',
  "--system-prompt": "--append-system-prompt TEXT",
  "--append-system-prompt-file": '--append-system-prompt "$(cat FILE)"',
  "--settings": "--profile NAME, with a profile in your config.json",
  "--json-schema": "--output-schema FILE",
  "--max-budget-usd": "--max-cost AMOUNT",
  "--session-id": "--resume ID",
  "--debug": "--verbose",
  "-s": "--sandbox KIND",
  "-a": "--mode MODE",
};
/** Flags of which a command without `--verbose` has no other. */
const NEEDS: Readonly<Record<string, string>> = { "-v": "verbose", "-d": "verbose" };

/** Returns what to write instead of a flag of another agent; undefined for other flags, and if the command has no such flag. */
export function foreignFlagHint(
  rawName: string,
  command: string,
  known: readonly string[],
): string | undefined {
  const needed = NEEDS[rawName];
  if (needed !== undefined && known.includes(needed)) return `write --${needed}`;
  const ours = Object.hasOwn(FOREIGN, rawName) ? FOREIGN[rawName] : undefined;
  if (ours === undefined) return undefined;
  const [, flag] = /^--([\w-]+)/.exec(ours) ?? [];
  if (flag !== undefined && !known.includes(flag)) return undefined;
  return `write toolwright ${command} … ${ours}`;
}
