/** A text answer of up to so many bytes is shown whole. */
export const MAX_TEXT_BYTES = 10 * 1024;
/** Of a longer one, so many bytes are shown. */
export const KEPT_TEXT_BYTES = 5 * 1024;
/** A list of up to so many items is shown whole. */
export const MAX_ITEMS = 1000;
/** Matches up to so many are shown whole. */
export const MAX_MATCHES = 100;
