import type { Context } from "./context.ts";
import { isOurTag } from "./our-tags.ts";
import type { TextState } from "./text-state.ts";
import { startsLine } from "./text-state.ts";

/** A place in a window where a call may begin. */
export interface Opening {
  readonly index: number;
  /** What it begins with. */
  readonly found: string;
}

/** Words that begin a call where they begin a line. */
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
function chanceOf(context: Context, window: string, index: number): "any" | "line" | "none" {
  const next = window.charAt(index + 1);
  switch (window.charAt(index)) {
    case "<":
      return mayOpenMarkup(context, window, index, next) ? "any" : "none";
    case "]":
      return next === "" || next === "<" ? "any" : "none";
    case "[":
      if (next === "" || next === "T") return "any";
      return /[\s{A-Za-z_]/.test(next) ? "line" : "none";
    case "{":
      return next === "" || /[\s"']/.test(next) ? "line" : "none";
    default:
      return "line";
  }
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
  const start = Math.max(window.lastIndexOf("\n") + 1, from, window.length - 32);
  const line = window.slice(start).trimStart();
  const mayGrow = line !== "" && words.some((word) => word.startsWith(line));
  return mayGrow && startsLine(window, from, window.length - line.length, state) ? line.length : half;
}
