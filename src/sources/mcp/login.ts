import { randomBytes } from "node:crypto";
import type { OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { ToolError } from "../../core/errors.ts";
import { connect } from "./connection/connect.ts";
import type { Sdk } from "./transport/faults.ts";
import type { HttpServer } from "./transport/server.ts";
import { authorizationFetch } from "./auth/authorization-fetch.ts";
import { challengeOf } from "./auth/bearer.ts";
import { openCallback, type Callback, type CallbackOptions } from "./auth/callback.ts";
import type { Challenge, Login, LoginOptions, LoginState } from "./types/login-types.ts";
import { createLoginProvider, isLoopback } from "./auth/login-provider.ts";
import { checkOptions, requireOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { defined } from "../../util/json/defined.ts";
import { createCalls } from "./connection/calls.ts";
import { errorMessage } from "../../util/text/error-message.ts";

const TIMEOUT_MS = 300_000;
const REQUEST_MS = 15_000;

const KINDS: OptionKinds<LoginOptions> = {
  name: "a text that is not empty",
  server: "an object",
  stored: "an object",
  show: "a function",
  timeoutMs: "a positive number",
  requestTimeoutMs: "a positive number",
};

/**
 * Lets the user log in at a server and stores the login in place of an earlier one. Resolves with undefined if the server needs no
 * login. Rejects with a `ToolError`; the stored login is unchanged then.
 */
export async function logIn(options: LoginOptions, signal: AbortSignal): Promise<Login | undefined> {
  checkOptions("logIn", options, KINDS);
  requireOptions("logIn", options, ["name", "server", "stored", "show"]);
  const { server, stored, requestTimeoutMs = REQUEST_MS } = options;
  assertEncrypted(server);
  const sdk = await import("@modelcontextprotocol/client");
  const fetchFn = authorizationFetch(server, { timeoutMs: requestTimeoutMs, signal });
  const before = await stored.read();
  const challenge = mergeChallenges(await anonymousChallenge(options, signal), before.challenge);
  const attempt: Attempt = { ...options, sdk, fetchFn, challenge: challenge ?? { isStepUp: false }, before };
  try {
    if (challenge === undefined && !(await hasMetadata(attempt))) return undefined;
    const state = randomBytes(32).toString("base64url");
    const callback = await openCallbackFor(server, before, {
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      state,
    });
    try {
      return await authorize(callback, state, attempt, signal);
    } finally {
      await callback.close();
    }
  } catch (error) {
    throw signal.aborted ? new ToolError("CANCELLED", "the login was cancelled") : toLoginFault(sdk, error);
  }
}

function assertEncrypted({ url }: HttpServer): void {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol === "https:" || isLoopback(hostname)) return;
  const message = `refusing to log in at ${origin} over plain HTTP: the token would be sent unencrypted`;
  throw new ToolError("INVALID_INPUT", message, { hint: "use the server's https URL" });
}

/** Combines the challenge for a request without a token with the stored one; the scopes that a call lacked take precedence. */
function mergeChallenges(
  anonymous: Challenge | undefined,
  stored: Challenge | undefined,
): Challenge | undefined {
  if (stored === undefined) return anonymous;
  return stored.isStepUp ? { ...anonymous, ...stored } : (anonymous ?? stored);
}

interface Attempt extends LoginOptions {
  readonly sdk: Sdk;
  readonly fetchFn: ReturnType<typeof authorizationFetch>;
  readonly challenge: Challenge;
  readonly before: LoginState;
}

/** Returns the challenge for a request without a token; undefined if the server accepts it. */
async function anonymousChallenge(
  { name, server, requestTimeoutMs = REQUEST_MS }: LoginOptions,
  signal: AbortSignal,
): Promise<Challenge | undefined> {
  const refused = new ToolError("UNAUTHORIZED", "it needs a login");
  let challenge: Challenge | undefined;
  const anonymous = {
    token: () => Promise.resolve(undefined),
    async onUnauthorized({ response }: { readonly response: Response }) {
      challenge = await challengeOf(response, { isForbidden: false });
      throw refused;
    },
    watch: (fetch: ReturnType<typeof authorizationFetch>) => fetch,
  };
  const ports = { name, roots: [], calls: createCalls(), onListChanged: () => undefined };
  const how = { server, timeoutMs: requestTimeoutMs, isModern: false };
  try {
    const connection = await connect({ ...ports, ...how, bearer: anonymous }, signal);
    await connection.close();
  } catch (error) {
    if (challenge === undefined) throw error;
  }
  return challenge;
}

/** Returns true if a server that accepts anonymous requests publishes metadata about logins. */
async function hasMetadata({ sdk, server, fetchFn }: Attempt): Promise<boolean> {
  try {
    await sdk.discoverOAuthProtectedResourceMetadata(server.url, {}, fetchFn);
    return true;
  } catch {
    return false;
  }
}

/** Listens on the port of the stored registration if it is free, so that no new client is registered. */
async function openCallbackFor(
  { oauth }: HttpServer,
  before: LoginState,
  options: Omit<CallbackOptions, "port">,
): Promise<Callback> {
  if (oauth?.redirectPort !== undefined) return openCallback({ ...options, port: oauth.redirectPort });
  const port = Number(new URL(before.registration?.redirectUrl ?? "http://127.0.0.1").port);
  return openCallback({ ...options, port }).catch(() => openCallback({ ...options, port: 0 }));
}

async function authorize(
  callback: Callback,
  state: string,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Login> {
  const { sdk, server, stored, challenge, fetchFn, show } = attempt;
  const discovery = await discover(attempt);
  const settings = server.oauth ?? {};
  const { url: redirectUrl } = callback;
  const provider = createLoginProvider({ stored, settings, redirectUrl, state, discovery, show });
  const scope = scopeOf(attempt);
  const authorization = {
    serverUrl: server.url,
    fetchFn,
    ...defined({ scope }),
    ...metadataUrlOf(challenge),
  };
  await sdk.auth(provider, { ...authorization, forceReauthorization: true });
  const answer = await callback.answer(signal);
  const [code, iss] = [answer.get("code"), answer.get("iss")];
  if (code === null) throw refusedWith(answer);
  await sdk.auth(provider, { ...authorization, authorizationCode: code, ...(iss !== null && { iss }) });
  const login = provider.granted();
  if (login === undefined) throw new ToolError("UNAUTHORIZED", "the authorization server granted no token");
  return login;
}

async function discover({ sdk, server, challenge, fetchFn }: Attempt): Promise<OAuthDiscoveryState> {
  const discovery = await sdk.discoverOAuthServerInfo(server.url, { fetchFn, ...metadataUrlOf(challenge) });
  return { ...discovery, ...defined({ resourceMetadataUrl: challenge.resourceMetadataUrl }) };
}

function metadataUrlOf({ resourceMetadataUrl: at }: Challenge): { readonly resourceMetadataUrl?: URL } {
  return at === undefined ? {} : { resourceMetadataUrl: new URL(at) };
}

/** Returns the configured scope, else the one the server asked for; for a step-up, the union with the granted scope. */
function scopeOf({ sdk, server, challenge, before }: Attempt): string | undefined {
  const { scope } = server.oauth ?? {};
  if (!challenge.isStepUp) return scope ?? challenge.scope;
  return sdk.computeScopeUnion(scope, before.login?.tokens.scope, challenge.scope);
}

function refusedWith(given: URLSearchParams): ToolError {
  const [code, description] = [
    given.get("error") ?? "the redirect has no code",
    given.get("error_description"),
  ];
  const why = description === null ? code : `${code}: ${description}`;
  return new ToolError("DENIED", `the login was refused: ${why.slice(0, MAX_CHARACTERS)}`, {
    hint: "nothing was saved",
  });
}

const MAX_CHARACTERS = 500;

function toLoginFault(sdk: Sdk, error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const why = errorMessage(error);
  const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
  const isRefusal = error instanceof sdk.OAuthError;
  return new ToolError(
    isTimeout ? "TOOL_TIMEOUT" : isRefusal ? "UNAUTHORIZED" : "UNAVAILABLE",
    isTimeout
      ? "the authorization server did not answer"
      : `the login failed: ${why.slice(0, MAX_CHARACTERS)}`,
    { hint: "nothing was saved", cause: error },
  );
}
