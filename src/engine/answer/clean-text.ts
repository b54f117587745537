import type { Masker } from "../../secrets/mask.ts";
import type { ValueMasker } from "../../secrets/mask-json.ts";
import { isSanitized, sanitize, sanitizeJson } from "../../util/text/sanitize.ts";
import { sendable } from "../../util/text/sendable.ts";
import type { CallState } from "../call/call-state.ts";

/**
 * Returns a text as the model reads it, without secrets. Text of an untrusted tool is sanitized. Any other is exactly what the tool
 * returned, so that the model can edit what it was shown; only characters that providers refuse are escaped.
 */
export function cleanText(state: CallState, text: string): string {
  const masker = maskerOf(state);
  if (isUntrusted(state)) return masker.text(sanitize(text));
  const sent = sendable(text);
  state.isEscaped ||= sent !== text;
  const masked = masker.text(sent);
  if (isSanitized(sent)) return masked;
  // Colours may split a secret, which then is found only in the sanitized text.
  const strict = masker.text(sanitize(sent));
  return strict === sanitize(masked) ? masked : strict;
}

/** Returns JSON text as the model reads it; its secrets are masked already. */
export function cleanJson(state: CallState, text: string): string {
  return isUntrusted(state) ? sanitizeJson(text) : text;
}

/** Returns what masks an answer; undefined for a tool that is meant to return a credential. */
export function streamMaskerOf({ engine, entry }: CallState): Masker | undefined {
  return entry?.tool.masks === false ? undefined : engine.masker;
}

const NO_MASKER: ValueMasker = { text: (text) => text, find: () => undefined };

/** Returns the masker of an answer. A tool that is meant to return a credential has it masked only where it is logged and stored. */
export function maskerOf(state: CallState): ValueMasker {
  return streamMaskerOf(state) ?? NO_MASKER;
}

export function isUntrusted({ entry }: CallState): boolean {
  return entry?.tool.isUntrusted === true;
}
