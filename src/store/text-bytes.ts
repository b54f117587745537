/** Turns text that comes in pieces into bytes that come in bounded pieces. */
export interface TextBytes {
  write(text: string): void;
  end(): void;
}

/** Two halves of one character that came in two pieces are put together; half a character alone becomes U+FFFD. */
export function createTextBytes(accept: (bytes: Buffer) => void): TextBytes {
  let held = "";
  return {
    write(text) {
      for (let from = 0; from < text.length; from += PIECE_LENGTH) {
        const piece = held + text.slice(from, from + PIECE_LENGTH);
        held = isHighSurrogate(piece.charCodeAt(piece.length - 1)) ? piece.slice(-1) : "";
        const whole = held === "" ? piece : piece.slice(0, -1);
        if (whole !== "") accept(Buffer.from(whole, "utf8"));
      }
    },
    end() {
      if (held !== "") accept(Buffer.from(held, "utf8"));
      held = "";
    },
  };
}

const PIECE_LENGTH = 256 * 1024;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
