import { isIP, type BlockList, type LookupFunction } from "node:net";
import { canonicalIPv6, mappedIPv4, translatedIPv4 } from "../../util/text/host/ip-address.ts";

/** The networks that an address belongs to, from the widest to the closest. */
export const REACHES = ["public", "private", "loopback", "reserved"] as const;
export type Reach = (typeof REACHES)[number];

const SUBNETS: readonly (readonly [Reach, string])[] = [
  ["loopback", "127.0.0.0/8 ::1/128"],
  ["private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 fc00::/7"],
  // The other entries of IANA's special-purpose address registries (RFC 6890), and multicast. Anycast services such as AS112
  // are reachable, but serve no web pages.
  ["reserved", "0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24"],
  ["reserved", "192.88.99.0/24 192.175.48.0/24 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"],
  // Protocol assignments with Teredo, benchmarking and ORCHID; documentation; 6to4; AS112.
  ["reserved", "2001::/23 2001:db8::/32 3fff::/20 2002::/16 2620:4f:8000::/48"],
];
/** 2000::/3: no other IPv6 address is public. */
const GLOBAL_IPV6 = /^[23][0-9a-f]{3}:/;

/** Created on first use: most programs connect to nothing. */
let networks: readonly (readonly [Reach, BlockList])[] | undefined;

/** Returns the network of an IP address; an IPv6 address that stands for an IPv4 address is in the network of that one. */
export function reachOf(address: string): Reach {
  networks ??= SUBNETS.map(([reach, subnets]) => [reach, createBlockList(subnets.split(" "))]);
  if (isIP(address) !== 6) return find(networks, address, "ipv4");
  const canonical = canonicalIPv6(address.replace(/%.*$/, ""));
  if (canonical === undefined) return "reserved";
  // DNS64 answers with addresses that NAT64 translates.
  const ipv4 = mappedIPv4(canonical) ?? translatedIPv4(canonical);
  if (ipv4 !== undefined) return find(networks, ipv4, "ipv4");
  const reach = find(networks, canonical, "ipv6");
  return reach === "public" && !GLOBAL_IPV6.test(canonical) ? "reserved" : reach;
}

function find(
  lists: readonly (readonly [Reach, BlockList])[],
  address: string,
  family: "ipv4" | "ipv6",
): Reach {
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? "public";
}

/** Creates a list of subnets, written as `10.0.0.0/8`, and of single addresses. Throws for anything else. */
export function createBlockList(subnets: readonly string[]): BlockList {
  // Its module is loaded now: a class cannot be loaded late as functions are.
  const list = new (process.getBuiltinModule("node:net").BlockList)();
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/");
    const family = network.includes(":") ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Returns the host of a URL as an address or a name: IPv6 addresses are in brackets there. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Returns all addresses of a host, as the machine resolves it. Rejects if there are none. */
export async function resolveHost(hostname: string): Promise<readonly string[]> {
  const literal = withoutBrackets(hostname);
  if (isIP(literal) !== 0) return [literal];
  const { lookup } = await import("node:dns/promises");
  const addresses = await lookup(hostname, { all: true });
  return addresses.map(({ address }) => address);
}

/** Returns a resolver that answers every name with these addresses: what was checked is what is connected to. */
export function fixedLookup(addresses: readonly string[]): LookupFunction {
  const list = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, found) =>
    all === true ? found(null, list) : found(null, list[0]?.address ?? "", list[0]?.family);
}
