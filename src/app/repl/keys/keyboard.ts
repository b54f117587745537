import type { KeyEvent } from "./key.ts";
import { createKeyReader, PASTE_START } from "./key-reader.ts";
import { KITTY } from "./read-sequence.ts";

/** How long an escape may be the start of a longer key. */
const ESCAPE_MS = 50;
const PASTE_ON = "\u{1b}[?2004h";
const PASTE_OFF = "\u{1b}[?2004l";
const KITTY_ASK = "\u{1b}[?u";
const KITTY_ON = "\u{1b}[>1u";
const KITTY_OFF = "\u{1b}[<u";
const [LINE_FEED, RETURN] = [10, 13];
const CURSOR_ON = "\u{1b}[?25h";

/** The terminal's keys, one by one. */
export interface Keyboard {
  /** Hears every key from the first one on: those that came before anybody listened are told first. */
  listen(listener: (event: KeyEvent) => void): void;
  /** Aborted when the terminal is gone. */
  readonly ended: AbortSignal;
  /** Gives the terminal back as it was. */
  close(): void;
}

/** Takes the terminal's keys; they are given back by `close`, and also when the process ends without it. */
export function openKeyboard(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): Keyboard {
  const reader = createKeyReader();
  const ended = new AbortController();
  const heard: KeyEvent[] = [];
  let listener: ((event: KeyEvent) => void) | undefined;
  let escape: NodeJS.Timeout | undefined;
  let isKitty = false;
  let isFirst = true;
  const tell = (events: readonly KeyEvent[]): void => {
    for (const event of events) {
      if (event.kind === "key" && event.name === KITTY.name) {
        if (!isKitty) stdout.write(KITTY_ON);
        isKitty = true;
      } else if (listener === undefined) heard.push(event);
      else listener(event);
    }
  };
  const read = (bytes: Buffer): void => {
    clearTimeout(escape);
    tell(reader.read(isFirst ? typedAhead(bytes) : bytes));
    isFirst = false;
    if (reader.isPending) escape = setTimeout(() => tell(reader.flush()), ESCAPE_MS);
  };
  const end = (): void => ended.abort();
  const restore = (): void => {
    stdout.write(`${isKitty ? KITTY_OFF : ""}${PASTE_OFF}${CURSOR_ON}`);
    if (stdin.isTTY) stdin.setRawMode(false);
  };
  stdin.setRawMode(true);
  stdin.on("data", read).on("end", end).on("error", end);
  stdin.resume();
  stdout.write(PASTE_ON + KITTY_ASK);
  process.on("exit", restore);
  return {
    ended: ended.signal,
    listen(next) {
      listener = next;
      for (const event of heard.splice(0)) next(event);
    },
    close() {
      clearTimeout(escape);
      stdin.off("data", read).off("end", end).off("error", end);
      stdin.pause();
      process.off("exit", restore);
      restore();
    },
  };
}

/** What was typed before the terminal gave single keys comes first, and in it Enter is a line feed. */
function typedAhead(bytes: Buffer): Buffer {
  if (bytes.includes(PASTE_START)) return bytes;
  return Buffer.from(bytes.map((byte) => (byte === LINE_FEED ? RETURN : byte)));
}
