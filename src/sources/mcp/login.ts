import { randomBytes } from "node:crypto";
import type { OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { ToolError } from "../../core/errors.ts";
import { createRoster } from "../../system/process/roster.ts";
import { connect } from "./connection/connect.ts";
import type { Sdk } from "./transport/faults.ts";
import type { HttpServer } from "./transport/server.ts";
import { authorizationFetch } from "./auth/authorization-fetch.ts";
import type { Callback } from "./auth/callback.ts";
import { openCallback } from "./auth/callback.ts";
import type { Challenge, StoredLogin, Login, LoginState } from "./auth/stored-login.ts";
import { createLoginProvider, isLoopback } from "./auth/login-provider.ts";
import { errorMessage } from "../../util/text/error-message.ts";

export interface LoginOptions {
  /** Of the server. */
  readonly name: string;
  readonly server: HttpServer;
  readonly stored: StoredLogin;
  /** Shows the person where to log in. */
  readonly show: (address: URL) => void | Promise<void>;
  /** How long that person has; 5 minutes. */
  readonly timeoutMs?: number;
  /** How long a server may take for an answer; 15 s. */
  readonly requestTimeoutMs?: number;
}

const TIMEOUT_MS = 300_000;
const REQUEST_MS = 15_000;

/**
 * Has a person log in at a server and keeps what was granted, in place of what was before. Gives undefined where the server asks for
 * no login. Rejects with a `ToolError`; nothing is stored then.
 */
export async function logIn(options: LoginOptions, signal: AbortSignal): Promise<Login | undefined> {
  const { server, stored, requestTimeoutMs = REQUEST_MS } = options;
  assertReachedSafely(server);
  const sdk = await import("@modelcontextprotocol/client");
  const fetchFn = authorizationFetch(server, { timeoutMs: requestTimeoutMs, signal });
  const before = await stored.read();
  const challenge = wanted(await challengeOf(sdk, options, signal), before.challenge);
  const visit: Visit = { ...options, sdk, fetchFn, challenge: challenge ?? { isStepUp: false }, before };
  try {
    if (challenge === undefined && !(await describesItself(visit))) return undefined;
    const callback = await openNear(server, before, options.timeoutMs ?? TIMEOUT_MS);
    try {
      return await visitWith(callback, visit, signal);
    } finally {
      await callback.close();
    }
  } catch (error) {
    throw signal.aborted ? new ToolError("CANCELLED", "the login was given up") : toLoginFault(sdk, error);
  }
}

function assertReachedSafely({ url }: HttpServer): void {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol === "https:" || isLoopback(hostname)) return;
  throw new ToolError("INVALID_INPUT", `nobody logs in at ${origin}: a token would be readable on its way`, {
    hint: "use its https address",
  });
}

/** What a call has missed counts more than what a stranger is told. */
function wanted(told: Challenge | undefined, stored: Challenge | undefined): Challenge | undefined {
  if (stored === undefined) return told;
  return stored.isStepUp ? { ...told, ...stored } : (told ?? stored);
}

interface Visit extends LoginOptions {
  readonly sdk: Sdk;
  readonly fetchFn: ReturnType<typeof authorizationFetch>;
  readonly challenge: Challenge;
  readonly before: LoginState;
}

/** What the server answers one who has no token; undefined where it lets anybody in. */
async function challengeOf(
  sdk: Sdk,
  { name, server, requestTimeoutMs = REQUEST_MS }: LoginOptions,
  signal: AbortSignal,
): Promise<Challenge | undefined> {
  const refused = new ToolError("UNAUTHORIZED", "it needs a login");
  let challenge: Challenge | undefined;
  const stranger = {
    token: () => Promise.resolve(undefined),
    onUnauthorized({ response }: { readonly response: Response }) {
      const { scope, resourceMetadataUrl } = sdk.extractWWWAuthenticateParams(response);
      challenge = {
        isStepUp: false,
        ...(scope !== undefined && { scope }),
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: resourceMetadataUrl.href }),
      };
      return Promise.reject(refused);
    },
    watch: (fetch: ReturnType<typeof authorizationFetch>) => fetch,
  };
  const ports = { name, roots: [], currentCall: () => undefined, onListChanged: () => undefined };
  const how = { server, roster: createRoster(), timeoutMs: requestTimeoutMs, isModern: false };
  try {
    const connection = await connect({ ...ports, ...how, bearer: stranger }, signal);
    await connection.close();
  } catch (error) {
    if (challenge === undefined) throw error;
  }
  return challenge;
}

/** Whether a server that lets anybody in says of itself that it knows logins. */
async function describesItself({ sdk, server, fetchFn }: Visit): Promise<boolean> {
  try {
    await sdk.discoverOAuthProtectedResourceMetadata(server.url, {}, fetchFn);
    return true;
  } catch {
    return false;
  }
}

/** On the port that was registered last time, where it is free: then nothing has to be registered again. */
async function openNear({ oauth }: HttpServer, before: LoginState, timeoutMs: number): Promise<Callback> {
  if (oauth?.redirectPort !== undefined) return openCallback(oauth.redirectPort, timeoutMs);
  const port = Number(new URL(before.registration?.redirectUrl ?? "http://127.0.0.1").port);
  return openCallback(port, timeoutMs).catch(() => openCallback(0, timeoutMs));
}

async function visitWith(callback: Callback, visit: Visit, signal: AbortSignal): Promise<Login> {
  const { sdk, server, stored, challenge, fetchFn, show } = visit;
  const discovery = await discover(visit);
  const state = randomBytes(32).toString("base64url");
  const settings = server.oauth ?? {};
  const { url: redirectUrl } = callback;
  const provider = createLoginProvider({ stored, settings, redirectUrl, state, discovery, show });
  const scope = scopeOf(visit);
  const { resourceMetadataUrl: at } = challenge;
  const asked = {
    serverUrl: server.url,
    fetchFn,
    ...(scope !== undefined && { scope }),
    ...(at !== undefined && { resourceMetadataUrl: new URL(at) }),
  };
  await sdk.auth(provider, { ...asked, forceReauthorization: true });
  const given = await callback.answer(state, signal);
  const [code, iss] = [given.get("code"), given.get("iss")];
  if (code === null) throw refusedWith(given);
  await sdk.auth(provider, { ...asked, authorizationCode: code, ...(iss !== null && { iss }) });
  const login = provider.granted();
  if (login === undefined) throw new ToolError("UNAUTHORIZED", "nothing was granted");
  return login;
}

async function discover({ sdk, server, challenge, fetchFn }: Visit): Promise<OAuthDiscoveryState> {
  const { resourceMetadataUrl: at } = challenge;
  const found = await sdk.discoverOAuthServerInfo(server.url, {
    fetchFn,
    ...(at !== undefined && { resourceMetadataUrl: new URL(at) }),
  });
  return { ...found, ...(at !== undefined && { resourceMetadataUrl: at }) };
}

/** What the user wrote, or else what the server asked for; where what was granted is not enough, all of it together. */
function scopeOf({ sdk, server, challenge, before }: Visit): string | undefined {
  const { scope } = server.oauth ?? {};
  if (!challenge.isStepUp) return scope ?? challenge.scope;
  return sdk.computeScopeUnion(scope, before.login?.tokens.scope, challenge.scope);
}

function refusedWith(given: URLSearchParams): ToolError {
  const [code, description] = [given.get("error") ?? "no code came back", given.get("error_description")];
  const why = description === null ? code : `${code}: ${description}`;
  return new ToolError("DENIED", `the login was refused: ${why.slice(0, MAX_WORDS)}`, {
    hint: "nothing was stored",
  });
}

const MAX_WORDS = 500;

function toLoginFault(sdk: Sdk, error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const why = errorMessage(error);
  const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
  const isRefusal = error instanceof sdk.OAuthError;
  return new ToolError(
    isTimeout ? "TOOL_TIMEOUT" : isRefusal ? "UNAUTHORIZED" : "UNAVAILABLE",
    isTimeout ? "the authorization server did not answer" : `the login failed: ${why.slice(0, MAX_WORDS)}`,
    { hint: "nothing was stored", cause: error },
  );
}
