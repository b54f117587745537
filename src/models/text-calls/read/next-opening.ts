import type { Context } from "./context.ts";
import { words } from "../scan/scan.ts";
import { canonicalName } from "../scan/tag.ts";
import { startsLine, type TextState } from "./text-state.ts";

/** A position in a window where a call may begin. */
interface Opening {
  readonly index: number;
  /** The trigger that was found there. */
  readonly found: string;
}

/** Words that may begin a call. */
const WORDS = { functools: "functools[", react: "Action:", "named-line": ">>>" } as const;
type Word = keyof typeof WORDS;

/** Finds the next position where a call may begin. Most of a text is skipped here, so a rejected position allocates nothing. */
export function createOpeningFinder(context: Context, state: TextState) {
  const { openings } = context;
  const begins = (Object.keys(WORDS) as Word[])
    .filter((word) => openings.bare.has(word))
    .map((word) => WORDS[word]);
  const trigger = triggerOf(begins);
  return {
    /** Returns undefined if there is none up to the end of the window. */
    next(window: string, from: number): Opening | undefined {
      trigger.lastIndex = from;
      for (let match = trigger.exec(window); match !== null; match = trigger.exec(window)) {
        const [opening] = match;
        const { index } = match;
        const where = whereAllowed(context, window, index);
        if (where === "anywhere" || (where === "line" && startsLine(window, from, index, state)))
          return { index, found: opening };
        trigger.lastIndex = index + 1;
      }
      return undefined;
    },
    /** Returns how many characters at the end of a window without openings may become one when more text arrives. */
    heldBack(window: string, from: number): number {
      const last = window.charCodeAt(window.length - 1);
      const half = last >= 0xd800 && last < 0xdc00 ? 1 : 0;
      return Math.max(half, ...begins.map((word) => lengthBegun(window, from, word, state)));
    },
  };
}

function triggerOf(words: readonly string[]): RegExp {
  return new RegExp(
    [String.raw`[<[{\x60\]]`, ...words.map((word) => word.replace("[", String.raw`\[`))].join("|"),
    "g",
  );
}

/** Returns where in a line the character at the index may open a call. */
function whereAllowed(context: Context, window: string, index: number): Where {
  const next = window.charAt(index + 1);
  switch (window.charAt(index)) {
    case "<":
      return mayOpenMarkup(context, window, index, next) ? "anywhere" : "nowhere";
    case "]":
      return next === "" || next === "<" ? "anywhere" : "nowhere";
    case "[":
      return whereListAllowed(next, !context.tools.isEmpty);
    case "{":
      return next === "" || /[\s"']/.test(next) ? "line" : "nowhere";
    case "`":
    case "A":
      return "line";
    default:
      return "anywhere";
  }
}

type Where = "anywhere" | "line" | "nowhere";

function whereListAllowed(next: string, hasTools: boolean): Where {
  if (next === "" || next === "T" || next === "/") return "anywhere";
  if (/[\p{L}_]/u.test(next)) return hasTools ? "anywhere" : "line";
  return /[\s{]/.test(next) ? "line" : "nowhere";
}

function mayOpenMarkup(context: Context, window: string, index: number, next: string): boolean {
  if (next === "" || next === "|" || next === "｜") return true;
  return /[\p{L}/_ ]/u.test(next) && isRelevantTag(context, window, index) !== false;
}

/** Returns how many characters of a word are at the end of the window. */
function lengthBegun(window: string, from: number, word: string, state: TextState): number {
  for (let length = Math.min(word.length - 1, window.length - from); length > 0; length -= 1) {
    if (!window.endsWith(word.slice(0, length))) continue;
    const mayBegin = word !== WORDS.react || startsLine(window, from, window.length - length, state);
    return mayBegin ? length : 0;
  }
  return 0;
}

/** Tags around reasoning, which is text. */
export const REASONING_TAGS = words("think thinking reasoning thought");

const TAG_NAME = /<\s?\/?\s?([\p{L}_](?:(?!Ġ)[\p{L}\p{N}_-]){0,63}(?::[\w.-]{0,63})?)?/uy;

/** How many tag names are cached. */
const MAX_TAG_NAMES = 200;

/** Returns whether a tag that begins here may be part of a call or of reasoning; undefined if its name is incomplete. */
export function isRelevantTag(context: Context, window: string, index: number): boolean | undefined {
  TAG_NAME.lastIndex = index;
  const [whole = "", word = ""] = TAG_NAME.exec(window) ?? [];
  if (index + whole.length >= window.length) return undefined;
  const { tagNames } = context;
  const known = tagNames.get(word);
  if (known !== undefined) return known;
  const isRelevant = isRelevantName(context, word);
  if (tagNames.size < MAX_TAG_NAMES) tagNames.set(word, isRelevant);
  return isRelevant;
}

function isRelevantName({ openings, tools }: Context, word: string): boolean {
  const name = canonicalName(word).replace(/^(function|invoke)name$/, "$1");
  if (openings.tags.has(name) || REASONING_TAGS.has(name) || name.startsWith("end_")) return true;
  return tools.has(word) || (tools.isEmpty && isToolTag(word, openings.toolTags));
}

/** Returns whether a tag of this name may be a tool if no tools are listed. */
export function isToolTag(word: string, toolTags: "underscored" | "any"): boolean {
  return word !== "" && (toolTags === "any" || (toolTags === "underscored" && word.includes("_")));
}
