/** Parts of a text that stands for a secret which a reader fills in. */
const PLACEHOLDER =
  /x{5}|\*{3}|\.{3}|\u2026|example|your[-_a-z]|place.?holder|change.?me|redacted|\u27e6masked|dummy|insert[-_]/i;

/** Returns whether a text stands for a secret which a reader fills in: `xxxx`, `your-key`, `…EXAMPLE`. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

const MIN_BITS = 2.7;

/** Returns whether a text has letters and digits, or letters of both cases, in no obvious order, as a generated one has. */
export function looksRandom(text: string, least = 8): boolean {
  if (text.length < least || !/[A-Za-z]/.test(text) || entropyOf(text) < MIN_BITS) return false;
  if (!/\d/.test(text))
    return text.length >= 20 && /[A-Z]/.test(text) && /[a-z]/.test(text) && !hasWords(text, 3);
  return !NUMBERED.test(text);
}

/** Returns whether half of a text is words of so many small letters, as in `clientToken2Id`. */
export function hasWords(text: string, least = 4): boolean {
  const words = text.match(least === 3 ? /[A-Z]?[a-z]{2,}/g : /[A-Z]?[a-z]{4,}/g) ?? [];
  return words.filter((word) => word.length > 2).join("").length >= text.length / (least === 3 ? 1.6 : 2);
}

/** Words with a number after them. */
const NUMBERED = /^[A-Z]?[a-z]+(?:(?:[-_.][A-Z]?|[A-Z])[a-z]+)*[-_.]?v?\d{1,4}$/;

/** Returns the entropy of a text, in bits for each character. */
function entropyOf(whole: string): number {
  // More of it would tell no more.
  const text = whole.slice(0, 256);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
