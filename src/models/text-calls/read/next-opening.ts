import type { Context } from "../text/context.ts";
import { isOurTag } from "./our-tags.ts";
import type { TextState } from "../text/text-state.ts";
import { startsLine } from "../text/text-state.ts";

/** A place in a window where a call may begin. */
export interface Opening {
  readonly index: number;
  /** What it begins with. */
  readonly found: string;
}

/** Words that begin a call. */
const WORDS = { functools: "functools[", react: "Action:", "named-line": ">>>" } as const;
type Word = keyof typeof WORDS;

/** Finds the next place where a call may begin. Most of a text is passed over here, so nothing is made for what is rejected. */
export interface OpeningFinder {
  /** Undefined where there is none from here to the end of the window. */
  next(window: string, from: number): Opening | undefined;
  /** How much at the end of a window without openings may become one when more comes. */
  heldBack(window: string, from: number): number;
}

export function createOpeningFinder(context: Context, state: TextState): OpeningFinder {
  const { openings } = context;
  const words = (Object.keys(WORDS) as Word[])
    .filter((word) => openings.bare.has(word))
    .map((word) => WORDS[word]);
  const trigger = triggerOf(words);
  return {
    next: (window, from) => {
      trigger.lastIndex = from;
      for (let match = trigger.exec(window); match !== null; match = trigger.exec(window)) {
        const [found] = match;
        const { index } = match;
        const chance = chanceOf(context, window, index);
        if (chance === "any" || (chance === "line" && startsLine(window, from, index, state)))
          return { index, found };
        trigger.lastIndex = index + 1;
      }
      return undefined;
    },
    heldBack: (window, from) => heldBack(window, from, { state, words }),
  };
}

function triggerOf(words: readonly string[]): RegExp {
  return new RegExp(
    [String.raw`[<[{\x60\]]`, ...words.map((word) => word.replace("[", String.raw`\[`))].join("|"),
    "g",
  );
}

/** Whether what stands at the index may open a call: anywhere, only where it begins a line, or not at all. */
function chanceOf(context: Context, window: string, index: number): Chance {
  const next = window.charAt(index + 1);
  switch (window.charAt(index)) {
    case "<":
      return mayOpenMarkup(context, window, index, next) ? "any" : "none";
    case "]":
      return next === "" || next === "<" ? "any" : "none";
    case "[":
      return chanceOfList(next, !context.tools.isEmpty);
    case "{":
      return next === "" || /[\s"']/.test(next) ? "line" : "none";
    case "`":
    case "A":
      return "line";
    default:
      return "any";
  }
}

type Chance = "any" | "line" | "none";

function chanceOfList(next: string, hasTools: boolean): Chance {
  if (next === "" || next === "T" || next === "/") return "any";
  if (/[A-Za-z_]/.test(next)) return hasTools ? "any" : "line";
  return /[\s{]/.test(next) ? "line" : "none";
}

function mayOpenMarkup(context: Context, window: string, index: number, next: string): boolean {
  if (next === "" || next === "|" || next === "｜") return true;
  return /[A-Za-z/_ ]/.test(next) && isOurTag(context, window, index) !== false;
}

function heldBack(
  window: string,
  from: number,
  { state, words }: { state: TextState; words: readonly string[] },
): number {
  const last = window.charCodeAt(window.length - 1);
  const half = last >= 0xd800 && last < 0xdc00 ? 1 : 0;
  return Math.max(half, ...words.map((word) => begun(window, from, word, state)));
}

/** How much of a word stands at the end of the window. */
function begun(window: string, from: number, word: string, state: TextState): number {
  for (let length = Math.min(word.length - 1, window.length - from); length > 0; length -= 1) {
    if (!window.endsWith(word.slice(0, length))) continue;
    const mayBegin = word !== WORDS.react || startsLine(window, from, window.length - length, state);
    return mayBegin ? length : 0;
  }
  return 0;
}
