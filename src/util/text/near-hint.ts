import { nearNames } from "./near-names.ts";

/** What was probably meant by a word nobody knows; where nothing comes near, what to do instead. */
export function nearHint(word: string, known: Iterable<string>, otherwise: string): string {
  const near = nearNames(word, known);
  return near.length > 0 ? `did you mean ${near.join(" or ")}?` : otherwise;
}
