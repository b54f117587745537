import { untilAborted } from "../../../util/async/until-aborted.ts";
import { boundedFetch } from "../transport/bounded-fetch.ts";
import type { HttpServer } from "../transport/server.ts";
import { createAddressGuard } from "./address-guard.ts";
import { fetchFrom } from "./fetch-from.ts";

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The longest accepted response of an authorization server. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 15_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_HOPS = 5;

export interface AuthorizationFetchOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Returns a fetch for requests to an authorization server, with a time limit and a size limit, only to addresses that the MCP server may
 * name. The headers configured for the MCP server are sent only to its origin, and a POST is never redirected.
 */
export function authorizationFetch(
  { url, headers }: HttpServer,
  { timeoutMs = TIMEOUT_MS, signal }: AuthorizationFetchOptions = {},
): Fetch {
  const server = new URL(url);
  const guard = createAddressGuard(server);
  const send = async (at: URL, init: RequestInit, hops = 0): Promise<Response> => {
    const merged = new Headers(at.origin === server.origin ? { ...headers } : undefined);
    for (const [name, value] of new Headers(init.headers)) merged.set(name, value);
    const limit = AbortSignal.timeout(timeoutMs);
    const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const addresses = await untilAborted(guard.addressesOf(at), ends);
    const response = await fetchFrom(addresses, at, { ...init, headers: merged, signal: ends });
    const to = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (to === null) return response;
    await response.body?.cancel();
    if (init.method === "POST")
      throw new Error(`${at.origin} redirected a request that must not be repeated`);
    if (hops === MAX_HOPS) throw new Error(`${at.origin} redirected more than ${MAX_HOPS} times`);
    return send(new URL(to, at), init, hops + 1);
  };
  return boundedFetch((input, init = {}) => send(new URL(input), init), {
    maxBytes: MAX_BYTES,
    onTooLong: () => undefined,
  });
}
