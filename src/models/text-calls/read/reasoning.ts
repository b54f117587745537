import type { Context } from "./context.ts";
import { scanTo, type Step } from "../scan/scan.ts";
import { trackText, type TextState } from "./text-state.ts";

/** Emits a mark around reasoning as text. `end` is the source of a pattern for the mark that closes it; undefined if this one closes. */
export function emitReasoningMark(
  { source, emitter, patterns }: Context,
  state: TextState,
  length: number,
  end: string | undefined,
): true {
  emitter.text(source.window.slice(source.at, source.at + length));
  source.at += length;
  source.mark();
  state.isAtLineStart = true;
  if (!state.isReasoningOver) {
    state.reasoning = end === undefined ? undefined : { end: patterns.of(end), mayBeLeftOpen: true };
  }
  return true;
}

/**
 * Skips a possible call inside reasoning: it is text if the reasoning is closed after it. Some models call without closing their
 * reasoning: if nothing closes it and the text ends like a call, everything from here on is read as if it had been closed.
 */
export function* skipInReasoning(context: Context, state: TextState): Step<true> {
  const { source, emitter } = context;
  if (state.reasoning === undefined) return true;
  const { end, mayBeLeftOpen } = state.reasoning;
  source.mark();
  source.at += 1;
  const isClosed = (yield* scanTo(source, end)) !== undefined;
  const text = source.taken();
  if (!isClosed) state.isReasoningOver = true;
  if (!isClosed && mayBeLeftOpen && context.reason !== "length" && ENDS_LIKE_CALL.test(text)) {
    source.rewind(0);
    state.reasoning = undefined;
    return true;
  }
  trackText(state, text);
  emitter.text(text);
  source.mark();
  return true;
}

const ENDS_LIKE_CALL = /[>\])}]\s*$/;
