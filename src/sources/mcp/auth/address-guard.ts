import { BlockList, isIP } from "node:net";
import { ToolError } from "../../../core/errors.ts";

/** The networks that an address belongs to, from the widest to the closest. */
const REACHES = ["public", "private", "loopback", "reserved"] as const;
type Reach = (typeof REACHES)[number];

const SUBNETS: readonly (readonly [Reach, string])[] = [
  ["reserved", "0.0.0.0/8 169.254.0.0/16 224.0.0.0/4 240.0.0.0/4 ::/128 fe80::/10 ff00::/8"],
  ["loopback", "127.0.0.0/8 ::1/128"],
  ["private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 fc00::/7"],
];
/** Created on first use: most programs never log in. */
let networks: readonly (readonly [Reach, BlockList])[] | undefined;

/** Creates the guard of a server, which may always connect to its own origin. */
export function createAddressGuard(server: URL) {
  let own: Promise<number> | undefined;
  return {
    /** Returns the addresses of a URL's host, to connect to exactly these. Rejects with `DENIED` if one of them is not allowed. */
    async addressesOf(url: URL): Promise<readonly string[]> {
      const addresses = await resolve(url.hostname);
      if (url.origin === server.origin) return addresses;
      own ??= reachOfServer(server.hostname);
      const limit = await own;
      const isEncrypted = url.protocol === "https:" || addresses.every((one) => reachOf(one) === "loopback");
      if (!isEncrypted) throw refused(server, url, "it is not an https URL");
      const far = addresses.find((one) => REACHES.indexOf(reachOf(one)) > limit);
      if (far !== undefined) throw refused(server, url, `${far} is a ${reachOf(far)} address`);
      return addresses;
    },
  };
}

/** Returns the network of an IP address. */
export function reachOf(address: string): Reach {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  networks ??= SUBNETS.map(([reach, subnets]) => [reach, blockList(subnets)]);
  return networks.find(([, list]) => list.check(address, family))?.[0] ?? "public";
}

/** A name that resolves to this machine does not make a server local: the owner of the name decides what it resolves to. */
async function reachOfServer(hostname: string): Promise<number> {
  const isFixed = isIP(withoutBrackets(hostname)) !== 0 || hostname === "localhost";
  const addresses = await resolve(hostname).catch(() => []);
  const reaches = addresses.map((one) => REACHES.indexOf(reachOf(one)));
  const widest = reaches.length === 0 ? 0 : Math.min(...reaches);
  return Math.min(widest, REACHES.indexOf(isFixed ? "loopback" : "private"));
}

async function resolve(hostname: string): Promise<readonly string[]> {
  const literal = withoutBrackets(hostname);
  if (isIP(literal) !== 0) return [literal];
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function refused(server: URL, url: URL, why: string): ToolError {
  const message = `refusing to connect to ${url.origin}, which ${server.origin} names for its login: ${why}`;
  return new ToolError("DENIED", message, {
    hint: "a server may name only hosts of networks that it is in itself; nothing was sent",
  });
}

function blockList(subnets: string): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(" ")) {
    const [network = "", bits] = subnet.split("/");
    list.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
