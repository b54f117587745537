import type { Context } from "../text/context.ts";
import { scanTo } from "../text/scan.ts";
import type { Step } from "../text/source.ts";
import type { TextState } from "../text/text-state.ts";
import { noteText } from "../text/text-state.ts";

/** Reasoning is text, and so are the marks around it. `end` finds the mark that closes what this one opens; undefined where this one closes. */
export function passReasoning(
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
    state.thinking = end === undefined ? undefined : { end: patterns.of(end), mayBeLeftOpen: true };
  }
  return true;
}

/**
 * Passes over what looks like a call inside reasoning. It is text where the reasoning is closed behind it. Models also call without closing their
 * reasoning: where nothing closes it, and the text ends as calls do and not in a sentence, all from here on is read as if it had been closed.
 */
export function* passOver(context: Context, state: TextState): Step<true> {
  const { source, emitter } = context;
  if (state.thinking === undefined) return true;
  const { end, mayBeLeftOpen } = state.thinking;
  source.mark();
  source.at += 1;
  const isClosed = (yield* scanTo(source, end)) !== undefined;
  const text = source.taken();
  if (!isClosed) state.isReasoningOver = true;
  if (!isClosed && mayBeLeftOpen && context.reason !== "length" && ENDS_LIKE_CALL.test(text)) {
    source.rewind(0);
    state.thinking = undefined;
    return true;
  }
  noteText(state, text);
  emitter.text(text);
  source.mark();
  return true;
}

const ENDS_LIKE_CALL = /[>\])}]\s*$/;
