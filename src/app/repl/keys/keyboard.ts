import { nameOf, type KeyEvent } from "./key.ts";
import { createKeyReader, PASTE_START } from "./key-reader.ts";
import { KITTY } from "./read-sequence.ts";
import { createTerminalMode } from "./terminal-mode.ts";

/** How long an escape may be the start of a longer key. */
const ESCAPE_MS = 50;
const [LINE_FEED, RETURN] = [10, 13];

/** The keys of the terminal. */
export interface Keyboard {
  /** Replaces the listener; the first one receives buffered keys too. */
  listen(listener: (event: KeyEvent) => void): void;
  /** Sets what is called before and after Ctrl-Z suspends the program. */
  onSuspend(screen: ScreenHooks): void;
  /** Aborted when the terminal is gone. */
  readonly ended: AbortSignal;
  /** Restores the terminal. */
  close(): void;
}

/** Erases and draws the screen around a suspension. */
export interface ScreenHooks {
  readonly erase: () => void;
  readonly draw: () => void;
}

/** Reads the terminal's keys in raw mode; `close` restores the terminal, and so does the end of the process. */
export function openKeyboard(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): Keyboard {
  const reader = createKeyReader();
  const mode = createTerminalMode(stdin, stdout);
  const ended = new AbortController();
  const buffered: KeyEvent[] = [];
  let listener: ((event: KeyEvent) => void) | undefined;
  let screen: ScreenHooks | undefined;
  let escape: NodeJS.Timeout | undefined;
  let isFirst = true;
  let isClosed = false;
  const emit = (events: readonly KeyEvent[]): void => {
    for (const event of events) {
      if (event.kind === "key" && event.name === KITTY.name) mode.enableKitty();
      else if (event.kind === "key" && nameOf(event) === "ctrl-z") suspend();
      else if (listener === undefined) buffered.push(event);
      else listener(event);
    }
  };
  const read = (bytes: Buffer): void => {
    clearTimeout(escape);
    emit(reader.read(isFirst ? typedAhead(bytes) : bytes));
    isFirst = false;
    if (reader.isPending) escape = setTimeout(() => emit(reader.flush()), ESCAPE_MS);
  };
  const end = (): void => ended.abort();
  const suspend = (): void => {
    screen?.erase();
    mode.suspend(() => {
      if (isClosed) return;
      mode.enter();
      screen?.draw();
    });
  };
  mode.enter();
  stdin.on("data", read).on("end", end).on("error", end);
  stdin.resume();
  process.on("exit", mode.restore);
  return {
    ended: ended.signal,
    onSuspend(next) {
      screen = next;
    },
    listen(next) {
      listener = next;
      for (const event of buffered.splice(0)) next(event);
    },
    close() {
      isClosed = true;
      clearTimeout(escape);
      stdin.off("data", read).off("end", end).off("error", end);
      stdin.pause();
      process.off("exit", mode.restore);
      mode.restore();
    },
  };
}

/** Text typed before raw mode comes first, and in it Enter is a line feed. */
function typedAhead(bytes: Buffer): Buffer {
  if (bytes.includes(PASTE_START)) return bytes;
  return Buffer.from(bytes.map((byte) => (byte === LINE_FEED ? RETURN : byte)));
}
