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
