const BLOCK = 64;
const LENGTH_BYTES = 8;

/** Returns the leading bits of the fractional parts of the roots of the first primes. */
function fractionsOfRoots(count: number, root: number): Uint32Array {
  const fractions = new Uint32Array(count);
  for (let [number, at] = [2, 0]; at < count; number += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) isPrime &&= number % divisor !== 0;
    if (!isPrime) continue;
    fractions[at] = (number ** (1 / root) % 1) * 2 ** 32;
    at += 1;
  }
  return fractions;
}

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Returns the SHA-256 of a short text in hexadecimal, for names: `node:crypto`, which is faster for long ones, takes longer to load than a command needs else. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK) * BLOCK));
  for (const [at, byte] of bytes.entries()) padded.setUint8(at, byte);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const constants = fractionsOfRoots(64, 3);
  const state = fractionsOfRoots(8, 2);
  for (let start = 0; start < padded.byteLength; start += BLOCK) addBlock(state, constants, padded, start);
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function addBlock(state: Uint32Array, constants: Uint32Array, data: DataView, start: number): void {
  const words = new Uint32Array(64);
  const at = (index: number): number => words[index] ?? 0;
  for (let index = 0; index < 64; index += 1) {
    if (index < 16) {
      words[index] = data.getUint32(start + index * 4);
      continue;
    }
    const [early, late] = [at(index - 15), at(index - 2)];
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[index] = at(index - 16) + first + at(index - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const ofE = (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g));
    const one = h + ofE + (constants[index] ?? 0) + at(index);
    const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}
