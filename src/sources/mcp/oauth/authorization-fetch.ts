import { boundedFetch } from "../bounded-fetch.ts";
import type { HttpServer } from "../server.ts";

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Nothing that an authorization server has to say is longer. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 15_000;

export interface AuthorizationFetchOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/**
 * How an authorization server is spoken to. It may hang or flood without harm. The headers that are configured for the MCP server go
 * to that one only, and what is posted goes nowhere else.
 */
export function authorizationFetch(
  { url, headers }: HttpServer,
  { timeoutMs = TIMEOUT_MS, signal }: AuthorizationFetchOptions = {},
): Fetch {
  const { origin } = new URL(url);
  const send: Fetch = (input, init = {}) => {
    const merged = new Headers(new URL(input).origin === origin ? { ...headers } : undefined);
    for (const [name, value] of new Headers(init.headers)) merged.set(name, value);
    const limit = AbortSignal.timeout(timeoutMs);
    return fetch(input, {
      ...init,
      headers: merged,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(init.method === "POST" && { redirect: "error" as const }),
    });
  };
  return boundedFetch(send, { maxBytes: MAX_BYTES, onTooLong: () => undefined });
}
