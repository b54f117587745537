import { DEFAULT_CUTS } from "../../core/cuts.ts";

/** The longest text answer that is shown whole. */
export const MAX_TEXT_BYTES = DEFAULT_CUTS.text.over;
/** How much of a longer one is shown. */
export const SHOWN_TEXT_BYTES = DEFAULT_CUTS.text.keep;
/** The longest list that is shown whole. */
export const MAX_ITEMS = DEFAULT_CUTS.list.over;
/** The most matches that are shown whole. */
export const MAX_MATCHES = DEFAULT_CUTS.matches.over;
