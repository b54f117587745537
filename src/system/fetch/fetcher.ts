import { ToolError } from "../../core/errors.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { systemCode } from "../paths/file-fault.ts";
import type { Connection } from "./connection.ts";
import { checkAddresses, createGuard, type Guard, type GuardOptions } from "./guard.ts";

/** What may be fetched, and through which proxy. */
export interface FetcherOptions extends GuardOptions {
  /** The URL of a proxy. It resolves names itself, so a name is only checked if this machine resolves it too. */
  readonly proxy?: string;
  /** The certificate to trust, as PEM, if the proxy decrypts what it passes on. */
  readonly proxyCa?: string;
}

export interface FetchRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /** The longest body, after decompression. */
  readonly maxBytes: number;
  /** Default: true, on the same host. */
  readonly followsRedirects?: boolean;
}

/** A response, read whole. */
export interface Fetched {
  /** After redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Where a redirect to another host leads; it was not followed. */
  readonly elsewhere?: URL;
}

/** Fetches over http and https, only from addresses that its guard allows. */
export interface Fetcher {
  /**
   * Follows redirects on the same host. Throws `ToolError`: DENIED if a URL or an address is not allowed, UNAVAILABLE if the host
   * cannot be reached now, TOOL_FAILED for everything else; if the signal is aborted, its reason.
   */
  fetch(url: URL, request: FetchRequest): Promise<Fetched>;
  close(): Promise<void>;
}

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ACCEPTED = { "accept-encoding": "gzip, deflate, br, zstd" };

export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const guard = createGuard(options);
  checkProxy(options.proxy);
  let connecting: Promise<Connection> | undefined;
  let connected: Connection | undefined;
  return {
    async fetch(url, request) {
      try {
        connecting ??= connect(guard, options);
        connected ??= await connecting;
        return await follow(connected, guard, url, request);
      } catch (error) {
        request.signal.throwIfAborted();
        throw toToolError(error, url, options.proxy);
      }
    },
    async close() {
      const connection = await connecting?.catch(() => undefined);
      await connection?.close();
    },
  };
}

function checkProxy(proxy: string | undefined): void {
  if (proxy === undefined || /^https?:$/.test(URL.parse(proxy)?.protocol ?? "")) return;
  throw new ToolError("INVALID_INPUT", "proxy: expected an http or https address", {
    hint: "write it with its scheme, as in http://127.0.0.1:8080",
  });
}

/** Loads the client on first use: most programs fetch nothing. */
async function connect(guard: Guard, { proxy, proxyCa }: FetcherOptions): Promise<Connection> {
  const { createConnection } = await import("./connection.ts");
  return createConnection(guard, proxy, proxyCa);
}

async function follow(
  connection: Connection,
  guard: Guard,
  first: URL,
  { method = "GET", headers, body, signal, maxBytes, followsRedirects = true }: FetchRequest,
): Promise<Fetched> {
  const sent = { method, headers: { ...ACCEPTED, ...headers }, body, signal, maxBytes };
  let url = first;
  guard.check(url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (connection.isProxied) await checkAddresses(guard, url);
    const response = await connection.send(url, sent);
    const { location } = response.headers;
    const isFollowed = followsRedirects && REDIRECTS.has(response.status) && location !== undefined;
    const target = isFollowed ? URL.parse(location, url.href) : null;
    if (target === null) return { url, ...response };
    guard.check(target);
    if (target.hostname !== url.hostname) return { url, ...response, elsewhere: target };
    if (url.protocol === "https:" && target.protocol === "http:")
      throw new ToolError("DENIED", `${url.href} redirects to ${target.href}, which is not encrypted`);
    url = target;
  }
  throw new ToolError("TOOL_FAILED", `${first.href} redirects more than ${MAX_REDIRECTS} times`);
}

/** Codes of errors that may be gone at the next try. */
const TEMPORARY =
  /^(?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|UND_ERR_(?:\w+_TIMEOUT|SOCKET))$/;

/** Returns the error of a connection as one that names its host and the proxy that it goes through. */
export function toToolError(error: unknown, { host, hostname }: URL, proxy?: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = systemCode(error) ?? "";
  if (code === "ENOTFOUND") {
    const missing = proxy === undefined ? hostname : `${new URL(proxy).hostname}, the proxy for ${hostname}`;
    return new ToolError("TOOL_FAILED", `there is no host ${missing}`, { cause: error });
  }
  const through = proxy === undefined ? "" : ` through the proxy ${new URL(proxy).host}`;
  const message = `cannot fetch from ${host}${through}: ${errorMessage(error)}${code === "" ? "" : ` (${code})`}`;
  return new ToolError(TEMPORARY.test(code) ? "UNAVAILABLE" : "TOOL_FAILED", message, { cause: error });
}
