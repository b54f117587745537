import { alignRows } from "./align-rows.ts";
import { LEVELS, MODES, type Level, type Mode } from "../../../core/policy.ts";

/** What each mode does with a call that no rule decides, for people. */
export const MODE_TEXTS: Readonly<Record<Mode, string>> = {
  yolo: "everything runs without approval",
  edits: "like auto, and file changes in the workspace run too",
  auto: "what is low risk or proven to only read runs, the rest needs approval",
  ask: "every call needs approval",
  plan: "only reading runs",
};

/** What each level does with a command that no rule allows, for people. */
export const LEVEL_TEXTS: Readonly<Record<Level, string>> = {
  "read-only":
    "commands are tried in a sandbox that can change and reach nothing; you are asked about those that fail in it",
  workspace: "commands run in a sandbox without network that can change only this folder",
  ask: "you are asked about every command that is not proven to only read",
};

/** How modes and levels go together. */
export const LEVEL_SCOPE =
  "in the modes auto and edits, a level says what commands may do instead of being asked about";

/** Returns a line about the level that is in force. */
export function levelText(level: Level): string {
  return `level ${level}: ${LEVEL_TEXTS[level]}`;
}

/** Returns every mode and every level, one per line, those in force with a mark. */
export function modesAndLevels(current: { readonly mode: string; readonly level: string }): string {
  const rows = (
    names: readonly string[],
    what: string,
    now: string,
    texts: Readonly<Record<string, string>>,
  ) => alignRows(names.map((name) => [`${name === now ? "*" : " "} ${what} ${name}`, texts[name] ?? ""]));
  return (
    rows(MODES, "mode", current.mode, MODE_TEXTS) +
    `${LEVEL_SCOPE}:\n` +
    rows(LEVELS, "level", current.level, LEVEL_TEXTS)
  );
}
