import type { Source, Step } from "./source.ts";

/** A special token: `<|name|>`, `<｜name｜>`, or Gemma's `<|name>` and `<name|>`. */
export interface Token {
  /** Lower case, with `_` for every kind of gap. */
  readonly name: string;
  readonly length: number;
}

const MAX_TOKEN = 48;
const WHOLE = /<[|｜]([^<>|｜\n]{1,40})[|｜]>/y;
const HALF = /<(?:\|(tool_call)>|(tool_call)\|>)/y;

/** Returns the special token at the cursor without taking it, or undefined. */
export function* peekToken(source: Source): Step<Token | undefined> {
  for (;;) {
    const text = source.window.slice(source.at, source.at + MAX_TOKEN);
    const found = tokenAt(text);
    if (found !== undefined) return found;
    if (text !== "" && !text.startsWith("<")) return undefined;
    const isOpen = text.indexOf(">") < 0 && text.indexOf("<", 1) < 0 && text.indexOf("\n") < 0;
    if (!isOpen || text.length >= MAX_TOKEN || !(yield* source.more())) return undefined;
  }
}

function tokenAt(text: string): Token | undefined {
  WHOLE.lastIndex = 0;
  const whole = WHOLE.exec(text);
  if (whole !== null) return { name: canonical(whole[1] ?? ""), length: whole[0].length };
  HALF.lastIndex = 0;
  const half = HALF.exec(text);
  if (half === null) return undefined;
  return { name: half[1] === undefined ? "half_tool_call_end" : "half_tool_call", length: half[0].length };
}

function canonical(written: string): string {
  return written.toLowerCase().replaceAll(/\\?_|▁|[ -]/g, "_");
}

/** Returns the source of a pattern for a token of this name. */
export function tokenPattern(name: string): string {
  const gap = String.raw`(?:\\?_|▁|[ -])`;
  return name === "half_tool_call_end"
    ? String.raw`<tool_call\|>`
    : String.raw`<[|｜]${name.replaceAll("_", gap)}[|｜]>`;
}
