type Encoding = "utf8" | "latin1" | "base64" | "base64url" | "hex";

/** Bytes with the methods of Node's `Buffer` that the engine calls. */
class Bytes extends Uint8Array {
  override toString(encoding: Encoding = "utf8", start = 0, end = this.length): string {
    const part = this.subarray(Math.max(0, start), end);
    if (encoding === "utf8") return new TextDecoder("utf-8", { ignoreBOM: true }).decode(part);
    if (encoding === "hex") return Array.from(part, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const text = toLatin1(part);
    if (encoding === "latin1") return text;
    const base64 = btoa(text);
    return encoding === "base64"
      ? base64
      : base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  /** Returns how many bytes were written: whole characters only. */
  write(text: string): number {
    return new TextEncoder().encodeInto(text, this).written;
  }

  copy(target: Uint8Array, at = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + target.length - at));
    target.set(part, at);
    return part.length;
  }
}

const PIECE = 8192;

function toLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return text;
}

function from(value: string | ArrayBuffer | ArrayLike<number>, encoding?: unknown, length?: number): Bytes {
  if (value instanceof ArrayBuffer) return new Bytes(value, Number(encoding ?? 0), length);
  if (typeof value !== "string") return new Bytes(value);
  if (encoding === "latin1") return new Bytes(Array.from(value, (character) => character.charCodeAt(0)));
  if (encoding === "hex")
    return new Bytes((value.match(/[\da-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16)));
  if (encoding === "base64" || encoding === "base64url") return fromBase64(value);
  return new Bytes(new TextEncoder().encode(value));
}

/** Ignores what is not in the alphabet, as Node does. */
function fromBase64(text: string): Bytes {
  const digits = text
    .replace(/=.*$/s, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^\w+/]/g, "");
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return from(atob(whole), "latin1");
}

/** The part of Node's `Buffer` that the engine uses. */
export const Buffer = {
  from,
  alloc: (size: number): Bytes => new Bytes(size),
  allocUnsafe: (size: number): Bytes => new Bytes(size),
  allocUnsafeSlow: (size: number): Bytes => new Bytes(size),
  byteLength: (text: string): number => new TextEncoder().encode(text).length,
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  compare(a: Uint8Array, b: Uint8Array): number {
    const at = a.findIndex((byte, index) => byte !== b[index]);
    return at < 0 ? Math.sign(a.length - b.length) : Math.sign((a[at] ?? 0) - (b[at] ?? -1));
  },
  concat(parts: readonly Uint8Array[]): Bytes {
    const all = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  },
};

/** Returns true for valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
