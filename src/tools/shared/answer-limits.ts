import { DEFAULT_CUTS } from "../../core/cuts.ts";

/** A text answer of up to so many bytes is shown whole. */
export const MAX_TEXT_BYTES = DEFAULT_CUTS.text.over;
/** Of a longer one, so many bytes are shown. */
export const KEPT_TEXT_BYTES = DEFAULT_CUTS.text.keep;
/** A list of up to so many items is shown whole. */
export const MAX_ITEMS = DEFAULT_CUTS.list.over;
/** Matches up to so many are shown whole. */
export const MAX_MATCHES = DEFAULT_CUTS.matches.over;
