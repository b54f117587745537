import type { Refusal } from "../login/refusal.ts";
import type { Callers, FoundCaller } from "./callers.ts";
import { resourcesOf } from "./protected-resource.ts";

export interface GuardOptions {
  readonly callers: Callers;
  /** The address that the server listens on, as it was given. */
  readonly host: string;
  readonly port: number;
  /** True: the server speaks TLS. Default: false. */
  readonly isSecure?: boolean;
  /** The name of a cookie that counts as a token, for requests of our own pages only. */
  readonly cookie?: string;
  /** The origin at which people reach the server through a proxy. */
  readonly url?: string | undefined;
}

/** Decides about requests. A refused request has no effect. */
export interface Guard {
  /** Returns why a request is refused for every caller; undefined if it may be. */
  foreign(request: Request): Refusal | undefined;
  /** Returns the caller of a request, or the reason to refuse it. */
  admit(request: Request): Promise<Refusal | FoundCaller>;
  /** Returns the origin at which the sender of a request that is not foreign reaches the server. */
  baseOf(request: Request): string;
}

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Creates the guard of a server. */
export function createGuard(options: GuardOptions): Guard {
  const { callers, host, port, isSecure = false, cookie, url } = options;
  const scheme = isSecure ? "https:" : "http:";
  const own = new Set([...LOOPBACK, bracketed(host.toLowerCase())]);
  const isAny = WILDCARDS.has(host);
  const proxied = url === undefined ? undefined : new URL(url);
  // DNS rebinding needs a name: a request to a literal address cannot come from it.
  const isOurs = (name: string): boolean =>
    own.has(name) || (isAny && isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  const isAt = (address: string): boolean => {
    const at = placeOf(address, scheme);
    return at !== undefined && at.port === port && isOurs(at.name);
  };
  const foreign: Guard["foreign"] = ({ headers }) => {
    const at = headers.get("host") ?? "";
    if (at.toLowerCase() !== proxied?.host && !isAt(`${scheme}//${at}`))
      return refuse(403, "the Host header does not name this server");
    const origin = headers.get("origin");
    return origin === null || origin === proxied?.origin || isAt(origin)
      ? undefined
      : refuse(403, "the Origin header does not name this server");
  };
  // Any address may be in the Host header of a server on all of them, also that of the server for which a token was given.
  const resourcesFor = (request: Request): readonly string[] => {
    const name = placeOf(`${scheme}//${request.headers.get("host") ?? ""}`, scheme)?.name ?? "";
    const isNamed = proxied !== undefined || own.has(name);
    return isNamed ? resourcesOf(new URL(request.url).pathname, baseOf(request)) : [];
  };
  const baseOf: Guard["baseOf"] = ({ headers }) =>
    proxied?.origin ?? `${scheme}//${headers.get("host") ?? ""}`;
  return {
    foreign,
    baseOf,
    async admit(request) {
      const refusal = foreign(request);
      if (refusal !== undefined) return refusal;
      const admitted = await findCaller(request, callers, { cookie, resources: resourcesFor(request) });
      if ("status" in admitted) return admitted;
      // A browser sends other content types without a preflight request.
      if (request.method === "POST" && !isJson(request.headers.get("content-type")))
        return refuse(403, "a POST must be application/json");
      return admitted;
    },
  };
}

async function findCaller(
  request: Request,
  callers: Callers,
  { cookie, resources }: { readonly cookie: string | undefined; readonly resources: readonly string[] },
): Promise<Refusal | FoundCaller> {
  const byCookie =
    cookie === undefined || hasToken(request)
      ? undefined
      : await callers.byCookie(cookie, cookieOf(request, cookie));
  const caller = byCookie ?? (await callers.byToken(tokenOf(request), resources));
  if (caller === undefined) return refuse(401, "the token is missing or wrong");
  return byCookie !== undefined && !isFromOwnPage(request)
    ? refuse(403, "the request comes from a page of another server")
    : caller;
}

/** Returns whether a person, a program or a page of ours sent the request. Browsers send cookies to every port of a host, also for pages of other ports. */
export function isFromOwnPage({ headers }: Request): boolean {
  return OWN_SITES.has(headers.get("sec-fetch-site") ?? "none");
}

/** Returns the name by which this machine reaches a server that listens on the host. */
export function reachedAt(host: string): string {
  return WILDCARDS.has(host) ? "127.0.0.1" : bracketed(host);
}

/** Returns whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return ["localhost", "::1", "[::1]"].includes(name) || (isIP(name) === 4 && name.startsWith("127."));
}

/** Returns the address in the form that a URL needs. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** `none`: the person typed the address, or the client is no browser. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

function hasToken(request: Request): boolean {
  return request.headers.has("authorization") || new URL(request.url).searchParams.has("token");
}

/** Returns the cookie of this name; an empty text if there is none. */
export function cookieOf(request: Request, name: string): string {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

function placeOf(url: string, scheme: string): { readonly name: string; readonly port: number } | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const { protocol, hostname, port, pathname, username, password, search } = parsed;
  const isPlain = pathname === "/" && `${username}${password}${search}` === "";
  if (protocol !== scheme || hostname === "" || !isPlain) return undefined;
  return {
    name: hostname.toLowerCase(),
    port: port === "" ? (scheme === "https:" ? 443 : 80) : Number(port),
  };
}

function tokenOf(request: Request): string {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return bearer ?? new URL(request.url).searchParams.get("token") ?? "";
}

function isJson(type: string | null): boolean {
  return type?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

function refuse(status: Refusal["status"], reason: string): Refusal {
  return { status, reason };
}

/** Returns 4 or 6 for an IP address and 0 for any other name. */
function isIP(name: string): number {
  // Loaded on use: only the HTTP gateway needs it.
  return process.getBuiltinModule("node:net").isIP(name);
}
