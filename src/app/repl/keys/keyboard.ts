import { nameOf, type KeyEvent } from "./key.ts";
import { createKeyReader, PASTE_START } from "./key-reader.ts";
import { KITTY } from "./read-sequence.ts";

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

const PASTE_ON = "\u{1b}[?2004h";
const PASTE_OFF = "\u{1b}[?2004l";
const KITTY_ASK = "\u{1b}[?u";
const KITTY_ON = "\u{1b}[>1u";
const KITTY_OFF = "\u{1b}[<u";
const CURSOR_ON = "\u{1b}[?25h";
/** Continues after this time without SIGCONT: without a shell the program was not suspended. */
const STOP_MS = 500;

/** Raw mode with marked pastes, and with the kitty protocol if the terminal supports it. */
export interface TerminalMode {
  readonly enter: () => void;
  /** Called when the terminal reports that it supports the kitty protocol. */
  readonly enableKitty: () => void;
  /** Restores the previous mode. */
  readonly restore: () => void;
  /** Restores the mode and suspends the process group; calls `resumed` when it continues. */
  readonly suspend: (resumed: () => void) => void;
}

export function createTerminalMode(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): TerminalMode {
  let isKitty = false;
  const mode: TerminalMode = {
    enter() {
      stdin.setRawMode(true);
      stdout.write(PASTE_ON + (isKitty ? KITTY_ON : KITTY_ASK));
    },
    enableKitty() {
      if (!isKitty) stdout.write(KITTY_ON);
      isKitty = true;
    },
    restore() {
      stdout.write(`${isKitty ? KITTY_OFF : ""}${PASTE_OFF}${CURSOR_ON}`);
      if (stdin.isTTY) stdin.setRawMode(false);
    },
    suspend(resumed) {
      const end = (): void => {
        clearTimeout(timer);
        process.off("SIGCONT", end);
        resumed();
      };
      mode.restore();
      const timer = setTimeout(end, STOP_MS);
      process.on("SIGCONT", end);
      process.kill(0, "SIGTSTP");
    },
  };
  return mode;
}
