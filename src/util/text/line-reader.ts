export interface LineReaderOptions {
  readonly maxCharacters: number;
  readonly onLine: (line: string) => void;
  /** Called as soon as a line is longer; the rest of that line is dropped. */
  readonly onTooLong: () => void;
}

/** Splits text that arrives in chunks into lines; text after the last line break is not a line yet. */
export function createLineReader(options: LineReaderOptions): (piece: string) => void {
  const { maxCharacters, onLine, onTooLong } = options;
  let held = "";
  let isTooLong = false;
  const hold = (text: string): void => {
    if (isTooLong) return;
    isTooLong = held.length + text.length > maxCharacters;
    held = isTooLong ? "" : held + text;
    if (isTooLong) onTooLong();
  };
  const finish = (): void => {
    const line = held;
    const wasTooLong = isTooLong;
    held = "";
    isTooLong = false;
    if (!wasTooLong) onLine(line);
  };
  return (piece) => {
    let from = 0;
    for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", from)) {
      hold(piece.slice(from, at));
      finish();
      from = at + 1;
    }
    if (from < piece.length) hold(piece.slice(from));
  };
}
