import { Writable } from "node:stream";

const PLAIN_ERASE = "\u{1b}[J";

/**
 * Erases from the cursor, which is at the start of a row, to the end of the screen. It erases the first row separately: tmux moves a
 * screen that is erased from its very first row into its scrollback.
 */
export const ERASE_DOWN = "\u{1b}[K\u{1b}7\u{1b}[B\r\u{1b}[J\u{1b}8";

/** The terminal as a stream for ink: it erases with `ERASE_DOWN` where ink erases the plain way. Ends with `destroy`. */
export class ScreenStream extends Writable {
  readonly #terminal: NodeJS.WriteStream;
  readonly #resize = (): void => void this.emit("resize");

  constructor(terminal: NodeJS.WriteStream) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    terminal.on("resize", this.#resize);
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get isTTY(): boolean {
    return this.#terminal.isTTY;
  }

  override _write(text: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#terminal.write(typeof text === "string" ? text.replaceAll(PLAIN_ERASE, ERASE_DOWN) : text);
    // At once, so that nothing is buffered here: other text is written to the terminal directly.
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#terminal.off("resize", this.#resize);
    done(error);
  }
}
