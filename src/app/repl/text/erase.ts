const PLAIN_ERASE = "\u{1b}[J";

/**
 * Erases from the cursor, which is at the start of a row, to the end of the screen. Row by row at first: what is erased from the very
 * first row on, tmux takes for a screen to be kept, and puts it into its scrollback.
 */
export const ERASE_DOWN = "\u{1b}[K\u{1b}7\u{1b}[B\r\u{1b}[J\u{1b}8";

/** The same stream for one that erases the plain way. */
export function erasingByRows(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (text: string | Uint8Array, ...rest: readonly never[]): boolean =>
    stdout.write(typeof text === "string" ? text.replaceAll(PLAIN_ERASE, ERASE_DOWN) : text, ...rest);
  return new Proxy(stdout, {
    get(target, key) {
      if (key === "write") return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
