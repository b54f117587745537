import type { MaskedStream } from "../../secrets/mask.ts";
import { isSanitized } from "../../util/text/sanitize.ts";
import { sendable } from "../../util/text/sendable.ts";
import type { CallState } from "../call/call-state.ts";
import { cleanText, isUntrusted, streamMaskerOf } from "./clean-text.ts";
import { borderAfter, checkLength, turn } from "./large.ts";
import { LARGE } from "./truncate.ts";

/** Cleans a text piece by piece, with turns of the event loop in between. */
export async function cleanLarge(state: CallState, text: string): Promise<string> {
  checkLength(text);
  const masker = streamMaskerOf(state);
  const stream = masker?.stream() ?? UNMASKED;
  const cleaned: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = borderAfter(text, from + LARGE, masker);
    cleaned.push(...stream.push(cleanPiece(state, text.slice(from, to))));
    from = to;
    await turn();
  }
  return [...cleaned, ...stream.end()].join("");
}

/** Returns a piece as the model reads it; the stream masks the secrets that two pieces share, and those that colours split are masked here. */
function cleanPiece(state: CallState, piece: string): string {
  const isPlain = !isUntrusted(state) && isSanitized(piece) && sendable(piece) === piece;
  return isPlain ? piece : cleanText(state, piece);
}

const UNMASKED: MaskedStream = { push: (text) => [text], end: () => [] };
