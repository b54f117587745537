/**
 * Joins the halves of a character that is split between chunks; half a character alone becomes U+FFFD.
 * The bytes are valid only until `accept` returns: their memory is reused, since garbage of this size grows faster than it is collected.
 */
export function createTextBytes(accept: (bytes: Buffer, text: string) => void) {
  let memory = Buffer.alloc(0);
  let held = "";

  const encode = (text: string): void => {
    if (text === "") return;
    if (memory.length < text.length * MOST_BYTES) memory = Buffer.allocUnsafeSlow(text.length * MOST_BYTES);
    accept(memory.subarray(0, memory.write(text, "utf8")), text);
  };
  return {
    write(text: string): void {
      for (let from = 0; from < text.length; from += PIECE_LENGTH) {
        const piece = held + text.slice(from, from + PIECE_LENGTH);
        held = isHighSurrogate(piece.charCodeAt(piece.length - 1)) ? piece.slice(-1) : "";
        encode(held === "" ? piece : piece.slice(0, -1));
      }
    },
    end(): void {
      encode(held);
      held = "";
    },
  };
}

const PIECE_LENGTH = 64 * 1024;
/** The maximum UTF-8 bytes of one unit of a JavaScript string. */
const MOST_BYTES = 3;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
