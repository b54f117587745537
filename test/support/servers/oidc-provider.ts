import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import { Provider } from "oidc-provider";

/** What the provider says of somebody. */
export interface ProviderUser {
  readonly preferred_username?: string;
  readonly groups?: readonly string[];
}

export const CLIENT_ID = "toolwright";
export const CLIENT_SECRET = "secret-of-the-client";

/** How the client shows its secret: the only way that the provider offers, but for the second, which it always does. */
type ClientAuth = "client_secret_basic" | "client_secret_post";

/** A provider on loopback: `oidc-provider` from npm, at which everybody logs in by a name without a password. */
export interface RunningProvider {
  readonly issuer: string;
  /** The people, by their id at the provider. */
  readonly users: Map<string, ProviderUser>;
  /** Who sits at the browser: the next login is theirs. */
  login: string;
  /** The form of access tokens. */
  tokens: "jwt" | "opaque";
  /** The scopes that access tokens get. */
  scope: string;
  /** For how many seconds an access token counts. */
  seconds: number;
  /** What it does with refresh tokens. */
  refresh: "renews" | "refuses" | "is down";
  /** Signs claims as the provider does, or with another key or header. */
  sign(claims: object, options?: { readonly key?: CryptoKey; readonly header?: object }): Promise<string>;
  /** Signs with a new key from now on, and no longer offers the one before. */
  rotateKeys(): Promise<void>;
  /** Requests that it has received, by path. */
  readonly received: string[];
}

/** Starts a provider that ends with the test. */
export async function startProvider(
  t: TestContext,
  clientAuth: ClientAuth = "client_secret_basic",
): Promise<RunningProvider> {
  let current = await createKey("k1");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: RunningProvider = {
    issuer,
    users: new Map(),
    login: "",
    tokens: "jwt",
    scope: "tools",
    seconds: 3600,
    refresh: "renews",
    received: [],
    sign: (claims, { key = current.key, header = {} } = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "RS256", kid: current.jwk.kid, typ: "at+jwt", ...header })
        .sign(key),
    async rotateKeys() {
      current = await createKey("k2");
      provider = createProvider(issuer, running, { jwk: current.jwk, clientAuth });
    },
  };
  let provider = createProvider(issuer, running, { jwk: current.jwk, clientAuth });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    running.received.push(request.url?.split("?")[0] ?? "");
    const isInteraction = request.url?.startsWith("/interaction/") === true;
    const isRefused = running.refresh !== "renews" && request.url === "/token";
    if (isRefused && running.refresh === "refuses")
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
    else if (isRefused) response.writeHead(502).end();
    else if (isInteraction) void agree(provider, running, request, response);
    else void provider.callback()(request, response);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return running;
}

async function createKey(kid: string) {
  const { privateKey: key } = await generateKeyPair("RS256", { extractable: true });
  return { key, jwk: { ...(await exportJWK(key)), kid, alg: "RS256", use: "sig" } };
}

function createProvider(
  issuer: string,
  running: RunningProvider,
  { jwk, clientAuth }: { readonly jwk: JWK; readonly clientAuth: ClientAuth },
): Provider {
  const claimsOf = (id: string) => ({ sub: id, ...running.users.get(id) });
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clientAuthMethods: [...new Set([clientAuth, "client_secret_post", "none"] as const)],
    clients: [
      {
        token_endpoint_auth_method: clientAuth,
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: ["http://127.0.0.1/auth/callback"],
        post_logout_redirect_uris: ["http://127.0.0.1/"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], profile: ["preferred_username", "groups"] },
    scopes: ["openid", "profile", "email", "offline_access", "tools", "other"],
    findAccount: (_, id) => ({ accountId: id, claims: () => Promise.resolve(claimsOf(id)) }),
    issueRefreshToken: (_, client) => Promise.resolve(client.grantTypeAllowed("refresh_token")),
    extraTokenClaims: (_, token) =>
      "accountId" in token && typeof token.accountId === "string" ? claimsOf(token.accountId) : undefined,
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: () => running.seconds, IdToken: 3600, Session: 3600, Grant: 3600, Interaction: 600 },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: "tools other",
          audience: resource,
          accessTokenFormat: running.tokens,
          accessTokenTTL: running.seconds,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    cookies: { keys: ["a key for cookies of the test"] },
  });
  // The port of a test's server is not known beforehand.
  const isAllowed = (uri: string): boolean =>
    uri.startsWith("http://127.0.0.1:") || uri.startsWith("http://localhost:");
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed: isAllowed,
    postLogoutRedirectUriAllowed: isAllowed,
  });
  return provider;
}

/** Logs in who sits at the browser, and agrees to everything. */
async function agree(
  provider: Provider,
  running: RunningProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const details = await provider.interactionDetails(request, response);
  const accountId = running.login;
  const grant = new provider.Grant({ accountId, clientId: String(details.params["client_id"]) });
  grant.addOIDCScope("openid profile email offline_access tools other");
  const resources = [details.params["resource"]].flat().filter((one) => typeof one === "string");
  for (const resource of resources) grant.addResourceScope(resource, running.scope);
  await provider.interactionFinished(request, response, {
    login: { accountId },
    consent: { grantId: await grant.save() },
  });
}

interface BrowserRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser without a screen: it follows redirects, and sends cookies as browsers do. */
export function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const send = async (url: URL, init: BrowserRequest = {}): Promise<Response> => {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...init.headers, ...(cookie !== "" && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    send,
    cookies: (url: URL): ReadonlyMap<string, string> => jars.get(url.host) ?? new Map(),
    /** Opens an address and follows redirects until there are none, or until one that begins with `until`. */
    async open(
      start: string | URL,
      until?: string,
    ): Promise<{ readonly response: Response; readonly url: URL }> {
      let url = new URL(start);
      for (let hops = 0; hops < 20; hops += 1) {
        if (until !== undefined && url.href.startsWith(until)) return { response: new Response(), url };
        const response = await send(url);
        const location = response.headers.get("location");
        if (location === null) return { response, url };
        url = new URL(location, url);
      }
      throw new Error(`too many redirects: ${url.href}`);
    },
  };
}
