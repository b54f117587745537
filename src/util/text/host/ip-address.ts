/** Returns the shortest spelling of an IPv6 address without a zone id, in lower case; undefined for any other text. */
export function canonicalIPv6(address: string): string | undefined {
  if (!/^[\da-f:.]*$/i.test(address)) return undefined;
  try {
    return new URL(`http://[${address}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

/** Networks whose addresses stand for an IPv4 address, as the first groups, and the bits at which that one may begin. */
const EMBEDDING: readonly (readonly [prefix: readonly number[], bits: readonly number[]])[] = [
  // Mapped, translated by SIIT, and the deprecated compatible ones.
  [[0, 0, 0, 0, 0, 0xffff], [96]],
  [[0, 0, 0, 0, 0xffff, 0], [96]],
  [[0, 0, 0, 0, 0, 0], [96]],
  // NAT64, in a network of 96 bits; the local one is divided as its owner likes (RFC 6052).
  [[0x64, 0xff9b, 0, 0, 0, 0], [96]],
  [
    [0x64, 0xff9b, 1],
    [48, 56, 64, 96],
  ],
  // 6to4
  [[0x2002], [16]],
];

/** RFC 6052: these eight bits are no part of an address. */
const UNUSED_FROM = 64;
const UNUSED_TO = 72;

/** Returns the IPv4 address that an IPv6 address in canonical form is mapped from: it is the same address. */
export function mappedIPv4(address: string): string | undefined {
  const groups = groupsOf(address);
  return begins(groups, [0, 0, 0, 0, 0, 0xffff]) ? ipv4At(groups, 96) : undefined;
}

/** Returns the IPv4 address that the well-known NAT64 network translates an IPv6 address in canonical form to. */
export function translatedIPv4(address: string): string | undefined {
  const groups = groupsOf(address);
  return begins(groups, [0x64, 0xff9b, 0, 0, 0, 0]) ? ipv4At(groups, 96) : undefined;
}

/** Returns every IPv4 address that a gateway may reach for an IPv6 address in canonical form: mapped, compatible, NAT64, 6to4, ISATAP. */
export function embeddedIPv4(address: string): readonly string[] {
  const groups = groupsOf(address);
  const embedded = EMBEDDING.flatMap(([prefix, bits]) =>
    begins(groups, prefix) ? bits.map((from) => ipv4At(groups, from)) : [],
  );
  const isIsatap = groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200);
  return isIsatap ? [...embedded, ipv4At(groups, 96)] : embedded;
}

function begins(groups: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((group, index) => groups[index] === group);
}

/** Returns the eight groups of an address in canonical form. */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = address.split("::", 2);
  const before = numbersIn(head);
  const after = tail === undefined ? [] : numbersIn(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function numbersIn(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
}

/** Returns the IPv4 address whose bits begin at this one. */
function ipv4At(groups: readonly number[], from: number): string {
  const octets: number[] = [];
  for (let bit = from; octets.length < 4; bit += 8) {
    if (bit >= UNUSED_FROM && bit < UNUSED_TO && from !== 96) continue;
    const group = groups[bit >> 4] ?? 0;
    octets.push(bit % 16 === 0 ? group >> 8 : group & 255);
  }
  return octets.join(".");
}
