/** Where in the text a reader stands. */
export interface TextState {
  /** Nothing but space since the last line break, call or reasoning. */
  isAtLineStart: boolean;
  /** Inside reasoning, tags are no calls. */
  isThinking: boolean;
  /** A block of code: just opened, with text in it, or around a call that was read. */
  fence: "none" | "opened" | "text" | "call";
  /** The text is in messages with headers, so what stands around them is no text. */
  hasHeaders: boolean;
}

const LAST_LINE = /[^\n]*$/;

/** Keeps the state true to a text that is passed on. */
export function noteText(state: TextState, text: string): void {
  if (text === "") return;
  const start = text.lastIndexOf("\n") + 1;
  const isBlank = (start === 0 ? text : (LAST_LINE.exec(text.slice(start))?.[0] ?? "")).trim() === "";
  state.isAtLineStart = isBlank && (start > 0 || state.isAtLineStart);
  if (state.fence === "opened" && text.trim() !== "") state.fence = "text";
}
