import { Agent, buildConnector, ProxyAgent } from "undici";
import { fixedLookup } from "./addresses.ts";
import { exchange, type Exchange, type Exchanged } from "./exchange.ts";
import type { Guard } from "./guard.ts";

const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;
const CONNECTIONS_PER_HOST = 32;
const LIMITS = { headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS, connections: CONNECTIONS_PER_HOST };

/** What sends requests; connections stay open for the next request to the same host. */
export type Connection = Readonly<ReturnType<typeof createConnection>>;

/** Creates a client that connects only to addresses that the guard has checked, or to the proxy. */
export function createConnection(guard: Guard, proxy?: string, proxyCa?: string) {
  const trust = proxyCa === undefined ? {} : { requestTls: { ca: proxyCa } };
  const agent =
    proxy === undefined ? guardedAgent(guard) : new ProxyAgent({ uri: proxy, ...LIMITS, ...trust });
  return {
    isProxied: proxy !== undefined,
    send: (url: URL, request: Exchange): Promise<Exchanged> => exchange(agent, url, request),
    close: (): Promise<void> => agent.destroy(),
  };
}

/** Each connection is to an address that was checked just before, whatever the name resolves to later. */
function guardedAgent(guard: Guard): Agent {
  return new Agent({
    ...LIMITS,
    connect(target, connected) {
      const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
      const dial = async (): Promise<void> => {
        const addresses = await guard.addressesOf(target.hostname, port);
        buildConnector({ timeout: CONNECT_MS, lookup: fixedLookup(addresses) })(target, connected);
      };
      dial().catch((error: Error) => connected(error, null));
    },
  });
}
