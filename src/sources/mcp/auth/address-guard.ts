import { isIP } from "node:net";
import { ToolError } from "../../../core/errors.ts";
import { REACHES, reachOf, resolveHost, withoutBrackets } from "../../../system/fetch/addresses.ts";

/** Creates the guard of a server, which may always connect to its own origin. */
export function createAddressGuard(server: URL) {
  let own: Promise<number> | undefined;
  return {
    /** Returns the addresses of a URL's host, to connect to exactly these. Rejects with `DENIED` if one of them is not allowed. */
    async addressesOf(url: URL): Promise<readonly string[]> {
      const addresses = await resolveHost(url.hostname);
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

/** A name that resolves to this machine does not make a server local: the owner of the name decides what it resolves to. */
async function reachOfServer(hostname: string): Promise<number> {
  const isFixed = isIP(withoutBrackets(hostname)) !== 0 || hostname === "localhost";
  const addresses = await resolveHost(hostname).catch(() => []);
  const reaches = addresses.map((one) => REACHES.indexOf(reachOf(one)));
  const widest = reaches.length === 0 ? 0 : Math.min(...reaches);
  return Math.min(widest, REACHES.indexOf(isFixed ? "loopback" : "private"));
}

function refused(server: URL, url: URL, why: string): ToolError {
  const message = `refusing to connect to ${url.origin}, which ${server.origin} names for its login: ${why}`;
  return new ToolError("DENIED", message, {
    hint: "a server may name only hosts of networks that it is in itself; nothing was sent",
  });
}
