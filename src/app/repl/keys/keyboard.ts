import type { KeyEvent } from "./key.ts";
import { nameOf } from "./key.ts";
import { createKeyReader, PASTE_START } from "./key-reader.ts";
import { KITTY } from "./read-sequence.ts";
import { createTerminalMode } from "./terminal-mode.ts";

/** How long an escape may be the start of a longer key. */
const ESCAPE_MS = 50;
const [LINE_FEED, RETURN] = [10, 13];

/** The terminal's keys, one by one. */
export interface Keyboard {
  /** Hears every key from the first one on: those that came before anybody listened are told first. */
  listen(listener: (event: KeyEvent) => void): void;
  /** Ctrl-Z stops the program, as a shell expects it; whoever draws is told before that and after it. */
  onStop(drawing: Drawing): void;
  /** Aborted when the terminal is gone. */
  readonly ended: AbortSignal;
  /** Gives the terminal back as it was. */
  close(): void;
}

/** Something on the terminal that is not there while a shell has it. */
export interface Drawing {
  readonly erase: () => void;
  readonly draw: () => void;
}

/** Takes the terminal's keys; they are given back by `close`, and also when the process ends without it. */
export function openKeyboard(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): Keyboard {
  const reader = createKeyReader();
  const mode = createTerminalMode(stdin, stdout);
  const ended = new AbortController();
  const heard: KeyEvent[] = [];
  let listener: ((event: KeyEvent) => void) | undefined;
  let drawing: Drawing | undefined;
  let escape: NodeJS.Timeout | undefined;
  let isFirst = true;
  let isClosed = false;
  const tell = (events: readonly KeyEvent[]): void => {
    for (const event of events) {
      if (event.kind === "key" && event.name === KITTY.name) mode.tellApart();
      else if (event.kind === "key" && nameOf(event) === "ctrl-z") stop();
      else if (listener === undefined) heard.push(event);
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
  const stop = (): void => {
    drawing?.erase();
    mode.stop(() => {
      if (isClosed) return;
      mode.take();
      drawing?.draw();
    });
  };
  mode.take();
  stdin.on("data", read).on("end", end).on("error", end);
  stdin.resume();
  process.on("exit", mode.giveBack);
  return {
    ended: ended.signal,
    onStop(next) {
      drawing = next;
    },
    listen(next) {
      listener = next;
      for (const event of heard.splice(0)) next(event);
    },
    close() {
      isClosed = true;
      clearTimeout(escape);
      stdin.off("data", read).off("end", end).off("error", end);
      stdin.pause();
      process.off("exit", mode.giveBack);
      mode.giveBack();
    },
  };
}

/** What was typed before the terminal gave single keys comes first, and in it Enter is a line feed. */
function typedAhead(bytes: Buffer): Buffer {
  if (bytes.includes(PASTE_START)) return bytes;
  return Buffer.from(bytes.map((byte) => (byte === LINE_FEED ? RETURN : byte)));
}
