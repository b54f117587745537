import { boundedFetch } from "../transport/bounded-fetch.ts";
import type { HttpServer } from "../transport/server.ts";

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
 * Returns a fetch for requests to an authorization server, with a time limit and a size limit. The headers configured for the MCP
 * server are sent only to its origin, and a POST is never redirected.
 */
export function authorizationFetch(
  { url, headers }: HttpServer,
  { timeoutMs = TIMEOUT_MS, signal }: AuthorizationFetchOptions = {},
): Fetch {
  const { origin } = new URL(url);
  const send = async (input: string | URL, init: RequestInit = {}, hops = 0): Promise<Response> => {
    const merged = new Headers(new URL(input).origin === origin ? { ...headers } : undefined);
    for (const [name, value] of new Headers(init.headers)) merged.set(name, value);
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await fetch(input, {
      ...init,
      headers: merged,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      // Followed below: fetch would pass our headers on to the redirect target.
      redirect: init.method === "POST" ? "error" : "manual",
    });
    const to = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (to === null) return response;
    await response.body?.cancel();
    if (hops === MAX_HOPS) throw new Error(`${new URL(input).origin} redirected more than ${MAX_HOPS} times`);
    return send(new URL(to, input), init, hops + 1);
  };
  return boundedFetch((input, init) => send(input, init), {
    maxBytes: MAX_BYTES,
    onTooLong: () => undefined,
  });
}
