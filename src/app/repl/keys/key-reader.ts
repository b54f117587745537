import { StringDecoder } from "node:string_decoder";
import type { Key, KeyEvent } from "./key.ts";
import { readSequence } from "./read-sequence.ts";

const ESCAPE = "\u{1b}";
/** Marks the start of a paste. */
export const PASTE_START = `${ESCAPE}[200~`;
const PASTE_END = `${ESCAPE}[201~`;
/** The limit of a paste without an end. */
const MAX_PASTE = 1_000_000;

/** Parses the bytes of a terminal into key events, in whatever chunks they arrive. */
export interface KeyReader {
  read(bytes: Uint8Array): readonly KeyEvent[];
  /** True while an escape may be a key or the start of a longer one: call `flush` if nothing follows soon. */
  readonly isPending: boolean;
  flush(): readonly KeyEvent[];
}

export function createKeyReader(): KeyReader {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (isLast: boolean): readonly KeyEvent[] => {
    const { events, left } = readAll(rest, isLast);
    rest = left;
    return events;
  };
  return {
    read(bytes) {
      rest += decoder.write(bytes);
      return take(false);
    },
    get isPending() {
      return rest !== "" && !rest.startsWith(PASTE_START);
    },
    flush: () => take(true),
  };
}

function readAll(text: string, isLast: boolean): { events: readonly KeyEvent[]; left: string } {
  const events: KeyEvent[] = [];
  let at = 0;
  while (at < text.length) {
    const piece = readOne(text.slice(at), isLast);
    if (piece === undefined) break;
    if (piece.event !== undefined) events.push(piece.event);
    at += piece.length;
  }
  return { events, left: text.slice(at) };
}

interface Piece {
  readonly length: number;
  /** Undefined for a report of the terminal. */
  readonly event: KeyEvent | undefined;
}

/** Reads the first event of a text; returns undefined if it is incomplete. */
function readOne(text: string, isLast: boolean): Piece | undefined {
  if (text.startsWith(PASTE_START)) return readPaste(text);
  if (text.startsWith(ESCAPE)) return readEscape(text, isLast);
  const printable = /^[^\p{Cc}]+/u.exec(text)?.[0];
  if (printable !== undefined) return { length: printable.length, event: { kind: "text", text: printable } };
  return { length: 1, event: toEvent(controlKey(text.charCodeAt(0))) };
}

function readPaste(text: string): Piece | undefined {
  const end = text.indexOf(PASTE_END);
  if (end < 0 && text.length < MAX_PASTE) return undefined;
  const pasted = text.slice(PASTE_START.length, end < 0 ? undefined : end).replaceAll(/\r\n?/g, "\n");
  const length = end < 0 ? text.length : end + PASTE_END.length;
  return { length, event: { kind: "paste", text: pasted } };
}

/** The start of a key sequence that may be incomplete. */
const PART_OF_KEY = /^\u{1b}{1,2}(?:O|\[[<-?]?[\d;:]{0,20})?$/u;

function readEscape(text: string, isLast: boolean): Piece | undefined {
  const sequence = readSequence(text);
  if (sequence !== undefined) return { length: sequence.length, event: toEvent(sequence.key) };
  const [next] = text.slice(1);
  if (PART_OF_KEY.test(text) && !isLast) return undefined;
  if (next === undefined || next === ESCAPE || PART_OF_KEY.test(text)) {
    return { length: 1, event: { kind: "key", name: "escape" } };
  }
  const code = next.charCodeAt(0);
  const key: Key | undefined = code < 32 || code === 127 ? controlKey(code) : { name: next.toLowerCase() };
  return { length: 1 + next.length, event: key && { kind: "key", ...key, alt: true } };
}

const CONTROLS: Readonly<Record<number, Key>> = {
  0: { name: "space", ctrl: true },
  8: { name: "backspace" },
  9: { name: "tab" },
  // Some terminals send a line feed for Shift+Enter, and all do for Ctrl+J.
  10: { name: "enter", shift: true },
  13: { name: "enter" },
  27: { name: "escape" },
  127: { name: "backspace" },
};

function controlKey(code: number): Key | undefined {
  const known = CONTROLS[code];
  if (known !== undefined || code >= 27) return known;
  return { name: String.fromCharCode(code + 96), ctrl: true };
}

function toEvent(key: Key | undefined): KeyEvent | undefined {
  return key && { kind: "key", ...key };
}
