/** Where in the text a reader stands. */
export interface TextState {
  /** Nothing but space since the last line break, call or reasoning. */
  isAtLineStart: boolean;
  /** So many backticks are the last that was said. */
  backticks: number;
  /** Code inside a line was open before these. */
  wasInCode: boolean;
  /** The reasoning that the text is in: nothing there is a call, unless it is left open and what stands in it ends the text. */
  thinking: Thinking | undefined;
  /** Nothing in what is left closes reasoning, so nothing there opens any. */
  isReasoningOver: boolean;
  /** A block of code: just opened, with text in it, or around a call that was read. */
  fence: "none" | "opened" | "text" | "call";
  /** The text is in messages with headers, so what stands around them is no text. */
  hasHeaders: boolean;
  /** The message is addressed to a tool: only there some dialects call. */
  isForTool: boolean;
}

/** The state at the beginning of a text. */
export function createTextState(): TextState {
  return {
    isAtLineStart: true,
    backticks: 0,
    wasInCode: false,
    thinking: undefined,
    isReasoningOver: false,
    fence: "none",
    hasHeaders: false,
    isForTool: false,
  };
}

export interface Thinking {
  /** Finds what closes it. */
  readonly end: RegExp;
  /** Models forget to close it before they call. */
  readonly mayBeLeftOpen: boolean;
}

/** True where nothing but space stands between the index and the beginning of its line; the text before `from` is what the state tells of. */
export function startsLine(text: string, from: number, index: number, state: TextState): boolean {
  for (let at = index - 1; at >= from; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return true;
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return false;
  }
  return state.isAtLineStart;
}

/** Keeps the state true to a text that is passed on. */
export function noteText(state: TextState, text: string): void {
  state.isAtLineStart = startsLine(text, 0, text.length, state);
  noteCode(state, text);
  if (state.fence === "opened" && text.trim() !== "") state.fence = "text";
}

/** True between one or two backticks and the next ones on the line; more of them are a fence. */
export function isInCode({ backticks, wasInCode }: TextState): boolean {
  return (backticks === 1 || backticks === 2) !== wasInCode;
}

/** What was open is none: its line ends before it does. */
export function leaveCode(state: TextState): void {
  state.backticks = 0;
  state.wasInCode = false;
}

/** Several backticks in a row are one mark, also where a text is cut between them. */
function noteCode(state: TextState, text: string): void {
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
