import { ProcessTerminal } from "@earendil-works/pi-tui/dist/terminal.js";

/** Clears the screen row by row: tmux moves a screen that is erased at once into its scrollback. */
export const CLEAR = "\u{1b}[H\u{1b}[K\u{1b}[B\u{1b}[J\u{1b}[H";
const LIBRARY_CLEAR = "\u{1b}[2J\u{1b}[H\u{1b}[3J";
/** Continues after this time without SIGCONT: without a shell the program was not suspended. */
const STOP_MS = 500;

/** The terminal of the process. It never clears the scrollback, and the end of the process restores it. */
export class ReplTerminal extends ProcessTerminal {
  #isTypedAhead = true;
  #isClosed = false;
  readonly #restore = (): void => this.#leaveRawMode();

  override start(onInput: (data: string) => void, onResize: () => void): void {
    process.on("exit", this.#restore);
    super.start((data) => onInput(this.#typedAhead(data)), onResize);
  }

  override stop(): void {
    process.off("exit", this.#restore);
    this.#leaveRawMode();
  }

  /** Stops for good: a suspended program that continues does not start again. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  override write(data: string): void {
    super.write(data.replace(LIBRARY_CLEAR, CLEAR));
  }

  /** Suspends the process group; calls `resumed` when it continues. The caller stops the screen before. */
  suspend(resumed: () => void): void {
    const end = (): void => {
      clearTimeout(timer);
      process.off("SIGCONT", end);
      if (!this.#isClosed) resumed();
    };
    const timer = setTimeout(end, STOP_MS);
    process.on("SIGCONT", end);
    process.kill(0, "SIGTSTP");
  }

  #leaveRawMode(): void {
    super.showCursor();
    super.stop();
    // The first frame has set it before the library looked.
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
  }

  /** Text typed before raw mode comes in the first chunk, and in it Enter is a line feed. */
  #typedAhead(data: string): string {
    if (!this.#isTypedAhead) return data;
    setImmediate(() => (this.#isTypedAhead = false));
    return data === "\n" ? "\r" : data;
  }
}
