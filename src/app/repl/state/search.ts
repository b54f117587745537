import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { Search } from "./repl-state.ts";

/** The search after a key, the prompt that was chosen, or undefined if the search is closed. */
export type SearchStep = { readonly search: Search } | { readonly chosen: string } | undefined;

/** Starts a search: the newest prompt matches. */
export function startSearch(entries: readonly string[]): Search {
  return find(entries, "", 0);
}

/** Returns the step for a key: text narrows, Ctrl-R goes to an older match, Enter or Tab chooses, Esc closes. */
export function pressAtSearch(search: Search, key: string, entries: readonly string[]): SearchStep {
  const { typed, skipped, match } = search;
  if (matchesKey(key, "escape")) return undefined;
  if (["enter", "tab", "right"].some((name) => matchesKey(key, name as "enter")))
    return match === undefined ? undefined : { chosen: match };
  if (matchesKey(key, "ctrl+r")) {
    const older = find(entries, typed, skipped + 1);
    return { search: older.match === undefined ? search : older };
  }
  if (matchesKey(key, "backspace")) return { search: find(entries, typed.slice(0, -1), 0) };
  const text = decodeKittyPrintable(key) ?? key;
  // Other keys are escape sequences or control characters.
  return { search: /^\P{Cc}+$/u.test(text) ? find(entries, typed + text, 0) : search };
}

function find(entries: readonly string[], typed: string, skipped: number): Search {
  const wanted = typed.toLowerCase();
  const matches = [...new Set(entries.toReversed())].filter((entry) => entry.toLowerCase().includes(wanted));
  return { typed, skipped, match: matches[skipped] };
}
