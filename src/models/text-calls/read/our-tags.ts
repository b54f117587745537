import type { Context } from "../text/context.ts";
import { canonicalName } from "../text/tag.ts";

/** Tags around reasoning, which is text. */
export const REASONING_TAGS: ReadonlySet<string> = new Set(["think", "thinking", "reasoning", "thought"]);

const TAG_WORD = /<\s?\/?\s?([A-Za-z_][\w-]{0,63}(?::[\w.-]{0,63})?)?/y;

/** A text has few different tags; those of one that has many are looked at each time. */
const MAX_WORDS = 200;

/** Whether a tag that begins here may mean anything to us; undefined where its name is not whole yet. */
export function isOurTag(context: Context, window: string, index: number): boolean | undefined {
  TAG_WORD.lastIndex = index;
  const [whole = "", word = ""] = TAG_WORD.exec(window) ?? [];
  if (index + whole.length >= window.length) return undefined;
  const { tagWords } = context;
  const known = tagWords.get(word);
  if (known !== undefined) return known;
  const isOurs = isOurWord(context, word);
  if (tagWords.size < MAX_WORDS) tagWords.set(word, isOurs);
  return isOurs;
}

function isOurWord({ openings, tools }: Context, word: string): boolean {
  const name = canonicalName(word).replace(/^(function|invoke)name$/, "$1");
  if (openings.tags.has(name) || REASONING_TAGS.has(name) || name.startsWith("end_")) return true;
  return tools.has(word) || (tools.isEmpty && isToolTag(word, openings.toolTags));
}

/** Whether a tag of this name may be a tool where no list of tools says it. */
export function isToolTag(word: string, toolTags: "none" | "underscored" | "any"): boolean {
  return word !== "" && (toolTags === "any" || (toolTags === "underscored" && word.includes("_")));
}
