import { isIP } from "node:net";
import { ToolError } from "../../core/errors.ts";
import {
  compileAllowedHosts,
  compileRestrictedHosts,
  type HostPattern,
} from "../../util/text/host/host-pattern.ts";
import { createBlockList, reachOf, resolveHost, withoutBrackets } from "./addresses.ts";

/** What may be fetched. Hosts are compared as `*.example.com` or `example.com`, after the URL is parsed. */
export interface GuardOptions {
  /** Only these hosts; default: all. */
  readonly allowedDomains?: readonly string[];
  /** Never these hosts, even if they are allowed. Default: none. */
  readonly blockedDomains?: readonly string[];
  /** Hosts, addresses and subnets that are not public and may be reached all the same, each with `:PORT` for one port only. */
  readonly privateHosts?: readonly string[];
  /** Ports besides 80, 443, 8080 and 8443. */
  readonly ports?: readonly number[];
  /** Resolves names; default: as the machine does. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/** Decides which URLs may be requested and which addresses may be connected to. */
export interface Guard {
  /** Throws `DENIED` for a URL that may not be requested, wherever its host is, and `INVALID_INPUT` for one that is none. */
  check(url: URL): void;
  /** Resolves a host, and returns its addresses to connect to exactly these. Rejects with `DENIED` if one of them is not allowed. */
  addressesOf(hostname: string, port: number): Promise<readonly string[]>;
}

const PORTS: readonly number[] = [80, 443, 8080, 8443];

export function createGuard(options: GuardOptions = {}): Guard {
  const { allowedDomains, blockedDomains = [], resolve = resolveHost } = options;
  const isAllowed = allowedDomains === undefined ? () => true : compileAllowedHosts(allowedDomains);
  const isBlocked = compileRestrictedHosts(blockedDomains);
  const exceptions = (options.privateHosts ?? []).map(parseException);
  const ports = new Set([...PORTS, ...(options.ports ?? [])]);
  const isExcepted = (hostname: string, address: string, port: number): boolean =>
    exceptions.some(
      (one) => (one.port ?? port) === port && (one.matchesHost(hostname) || one.matchesAddress(address)),
    );
  const checkAddress = (hostname: string, address: string, port: number): void => {
    if (isBlocked(address)) throw refusal(`${hostname}, which is ${address}, which "blockedDomains" names`);
    const reach = reachOf(address);
    if (reach === "public" || isExcepted(hostname, address, port)) return;
    const named = hostname === address ? hostname : `${hostname}, which is ${address}`;
    throw refusal(`${named}, a ${reach} address`, `"privateHosts": ["${hostname}"]`);
  };
  return {
    check(url) {
      const { protocol, username, password } = url;
      if (protocol !== "http:" && protocol !== "https:")
        throw new ToolError("INVALID_INPUT", `only http and https can be fetched, not ${protocol}//`);
      if (username !== "" || password !== "")
        throw new ToolError("DENIED", "a URL with a user name or password is not fetched", {
          hint: "leave out the part before the @",
        });
      const host = withoutBrackets(url.hostname);
      if (isBlocked(host)) throw refusal(`${host}, which "blockedDomains" names`);
      if (!isAllowed(host)) throw refusal(`${host}, which "allowedDomains" does not name`);
      const port = portOf(url);
      if (ports.has(port) || isExcepted(host, host, port)) return;
      // `ports` alone would not be enough for a host of this machine or its network.
      const isPrivate = host === "localhost" || (isIP(host) !== 0 && reachOf(host) !== "public");
      const setting = isPrivate ? `"privateHosts": ["${url.host}"]` : `"ports": [${port}]`;
      throw refusal(`port ${port} of ${host}`, setting);
    },
    async addressesOf(hostname, port) {
      const host = withoutBrackets(hostname).replace(/\.$/, "");
      const addresses = await resolve(host);
      for (const address of addresses) checkAddress(host, address, port);
      return addresses;
    },
  };
}

/**
 * Rejects with `DENIED` if an address of the URL's host is not allowed. A name that this machine cannot resolve is left to the
 * proxy that connects.
 */
export async function checkAddresses(guard: Guard, url: URL): Promise<void> {
  await guard.addressesOf(url.hostname, portOf(url)).catch((error: unknown) => {
    if (error instanceof ToolError) throw error;
  });
}

export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

interface Exception {
  readonly port: number | undefined;
  readonly matchesHost: HostPattern;
  matchesAddress(address: string): boolean;
}

const SUBNET = /^(?:[\d.]+|\[?[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*\]?)(?:\/\d+)?$/i;

/** Reads `host`, `host:8080`, `10.0.0.0/8`, `127.0.0.1:3000`, `::1` or `[::1]:3000`. Throws `INVALID_INPUT` for a wrong address. */
function parseException(text: string): Exception {
  const [, before = text, port] = /^(.*[^:]|\[.*\]):(\d+)$/.exec(isBareIPv6(text) ? "" : text) ?? [];
  const common = { port: port === undefined ? undefined : Number(port) };
  if (!SUBNET.test(before))
    return { ...common, matchesHost: compileAllowedHosts([before]), matchesAddress: () => false };
  try {
    const list = createBlockList([withoutBrackets(before)]);
    return {
      ...common,
      matchesHost: () => false,
      matchesAddress: (address) => list.check(address, address.includes(":") ? "ipv6" : "ipv4"),
    };
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `privateHosts: ${text} is neither a host nor an address`, { cause });
  }
}

function isBareIPv6(text: string): boolean {
  return !text.startsWith("[") && text.split(":").length > 2;
}

function refusal(what: string, setting?: string): ToolError {
  return new ToolError("DENIED", `not connecting to ${what}`, {
    hint: setting === undefined ? undefined : `to allow it, add ${setting} to "web" in your own config file`,
  });
}
