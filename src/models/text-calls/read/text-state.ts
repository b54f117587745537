/** The reader's state between calls. */
export interface TextState {
  /** Only white space since the last line break, call or reasoning. */
  isAtLineStart: boolean;
  /** The number of backticks at the end of the text so far. */
  backticks: number;
  /** Whether inline code was open before these. */
  wasInCode: boolean;
  /** The reasoning that the text is in. A call in it is text, unless the reasoning is never closed and the call ends the text. */
  reasoning: OpenReasoning | undefined;
  /** Whether the rest of the text is known not to close reasoning, so that nothing in it opens any. */
  isReasoningOver: boolean;
  /** A code block: just opened, with text in it, or around a call. */
  fence: "none" | "opened" | "text" | "call";
  /** Whether the text consists of messages with headers, so that the tokens around them are not text. */
  hasHeaders: boolean;
}

/** Returns the state at the beginning of a text. */
export function createTextState(): TextState {
  return {
    isAtLineStart: true,
    backticks: 0,
    wasInCode: false,
    reasoning: undefined,
    isReasoningOver: false,
    fence: "none",
    hasHeaders: false,
  };
}

interface OpenReasoning {
  /** Matches what closes it. */
  readonly end: RegExp;
  /** Whether models forget to close it before a call. */
  readonly mayBeLeftOpen: boolean;
}

/** Returns whether only white space precedes the index on its line. The state describes the text before `from`. */
export function startsLine(text: string, from: number, index: number, state: TextState): boolean {
  for (let at = index - 1; at >= from; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return true;
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return false;
  }
  return state.isAtLineStart;
}

/** Updates the state after a text. */
export function trackText(state: TextState, text: string): void {
  state.isAtLineStart = startsLine(text, 0, text.length, state);
  trackCode(state, text);
  if (state.fence === "opened" && text.trim() !== "") state.fence = "text";
}

/** Returns whether the text is in inline code, between one or two backticks. More of them are a fence. */
export function isInCode({ backticks, wasInCode }: TextState): boolean {
  return (backticks === 1 || backticks === 2) !== wasInCode;
}

/** Ends inline code that is not closed on its line. */
export function leaveCode(state: TextState): void {
  state.backticks = 0;
  state.wasInCode = false;
}

/** Counts adjacent backticks as one mark, also across chunks. */
function trackCode(state: TextState, text: string): void {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  if (line.length < text.length) leaveCode(state);
  for (const [piece] of line.matchAll(/`+|[^`]+/g)) {
    if (piece.startsWith("`")) {
      state.backticks += piece.length;
      continue;
    }
    state.wasInCode = isInCode(state);
    state.backticks = 0;
  }
}
