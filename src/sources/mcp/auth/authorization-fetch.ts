import type { IncomingMessage, RequestOptions } from "node:http";
import { Readable } from "node:stream";
import { fixedLookup } from "../../../system/fetch/addresses.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { boundedFetch } from "../transport/bounded-fetch.ts";
import type { HttpServer } from "../transport/server.ts";
import { createAddressGuard } from "./address-guard.ts";
import { defined } from "../../../util/json/defined.ts";

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

/** Responses that have no body by definition. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Fetches like `fetch`, but connects only to the given addresses of the host, whatever its name resolves to by then, and follows no
 * redirect. Rejects with the reason of the signal, or with a `TypeError` if the request fails.
 */
async function fetchFrom(addresses: readonly string[], input: URL, init: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const body = init.body === undefined || init.body === null ? undefined : await request.text();
  const { signal } = request;
  try {
    const answer = await send(input, body, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      signal,
      lookup: fixedLookup(addresses),
    });
    return toResponse(answer);
  } catch (error) {
    throw signal.aborted ? signal.reason : new TypeError("fetch failed", { cause: error });
  }
}

async function send(url: URL, body: string | undefined, options: RequestOptions): Promise<IncomingMessage> {
  // Imported on use: most programs never log in.
  const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once("error", reject).end(body);
  });
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 500, statusMessage: statusText, rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  if (body === null) answer.resume();
  return new Response(body, { status, headers, ...defined({ statusText }) });
}
