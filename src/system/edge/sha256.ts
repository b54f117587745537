/** Returns the SHA-256 of bytes, without waiting, as no web API does. */
export function sha256(message: Uint8Array): Uint8Array {
  const { constants, initial } = (tables ??= createTables());
  const padded = pad(message);
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = padded.getUint32(block + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const [a, b] = [words[i - 15] ?? 0, words[i - 2] ?? 0];
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      words[i] = (words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1;
    }
    mix(state, words, constants);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setUint32(i * 4, word);
  return new Uint8Array(digest.buffer);
}

/** One block. */
function mix(state: Uint32Array, words: Uint32Array, constants: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
}

/** Adds the bit 1, zeros and the length in bits. */
function pad(message: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, message.length << 3);
  return view;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

let tables: ReturnType<typeof createTables> | undefined;

/** The first 32 bits of the fractional parts of roots of the first primes: cube roots for the constants, square roots for the state. */
function createTables() {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number): number => (root % 1) * 2 ** 32;
  return {
    constants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    initial: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
