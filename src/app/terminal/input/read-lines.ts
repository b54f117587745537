/** A line of input without its line break, or why it is invalid. */
export type InputLine = { readonly text: string } | { readonly fault: string };

const NEWLINE = 0x0a;

export interface ReadLinesOptions {
  /** A longer line is skipped without being buffered. */
  readonly maxBytes: number;
}

/** Yields the lines of a stream; reads on only when the last line was taken. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array | string>,
  { maxBytes }: ReadLinesOptions,
): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): InputLine => {
    const line = bytes > maxBytes ? tooLong(bytes, maxBytes) : decode(Buffer.concat(parts));
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk as Uint8Array);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      keep(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      yield take();
    }
    if (rest.length > 0) keep(rest);
  }
  if (bytes > 0) yield take();
}

function decode(line: Buffer): InputLine {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(line) };
  } catch {
    return { fault: "it is not UTF-8 text" };
  }
}

function tooLong(bytes: number, maxBytes: number): InputLine {
  return { fault: `it is ${bytes} bytes long, over the limit of ${maxBytes}` };
}
