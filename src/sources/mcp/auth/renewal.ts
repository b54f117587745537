import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { AuthorizationServerMetadata, OAuthTokens } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import type { Sdk } from "../transport/faults.ts";
import { authorizationFetch } from "./authorization-fetch.ts";
import type { HttpServer } from "../transport/server.ts";
import type { Login, LoginOptions, LoginState } from "../types/login-types.ts";
import { secretsOf } from "./stored-login.ts";
import { needsLogin } from "./needs-login.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

export interface RenewalOptions extends Pick<
  LoginOptions,
  "name" | "server" | "stored" | "requestTimeoutMs"
> {
  /** Called with each value to mask, before it is used. */
  readonly onSecret?: (secret: string) => void;
}

/** How long one process holds the right to renew: a refresh token that is used twice may revoke the login. */
const TURN_MS = 30_000;
const POLL_MS = 50;

/**
 * Returns a function that renews a login whose access token was refused, once for all concurrent callers in all processes. It rejects
 * with `UNAUTHORIZED` if the login has ended, and with `UNAVAILABLE` if the authorization server could not be asked.
 */
export function createRenewal(options: RenewalOptions): (refused: string) => Promise<void> {
  let running: Promise<void> | undefined;
  return (refused) => (running ??= renew(options, refused).finally(() => (running = undefined)));
}

async function renew(options: RenewalOptions, refused: string): Promise<void> {
  const { name, stored } = options;
  const login = await takeTurn(options, refused);
  if (login === undefined) return;
  try {
    const renewed = toLogin(login, await refresh(options, login));
    for (const secret of secretsOf({ login: renewed })) options.onSecret?.(secret);
    await stored.update((state) => settled(state, refused, renewed));
  } catch (error) {
    const isOver = error instanceof ToolError && error.code === "UNAUTHORIZED";
    await stored.update((state) => settled(state, refused, isOver ? undefined : login));
    throw error instanceof ToolError ? error : couldNot(name, error);
  }
}

/** Returns the state after a renewal. A login that was deleted or replaced in the meantime is not touched. */
function settled(state: LoginState, refused: string, next: Login | undefined): LoginState {
  const { renewal: _done, login, ...rest } = state;
  const isSame = login?.tokens.access_token === refused;
  const last = isSame ? next : login;
  return last === undefined ? rest : { ...rest, login: last };
}

/** Waits for the right to renew and returns the login; undefined if another process has renewed it. */
async function takeTurn(
  { name, stored }: Pick<RenewalOptions, "name" | "stored">,
  refused: string,
): Promise<Login | undefined> {
  const by = randomUUID();
  for (;;) {
    const { login, renewal } = await stored.update((state) => claimed(state, refused, by));
    if (login?.tokens.refresh_token === undefined) throw needsLogin(name, "its login has expired");
    if (login.tokens.access_token !== refused) return undefined;
    if (renewal?.by === by) return login;
    await wait(POLL_MS);
  }
}

function claimed(state: LoginState, refused: string, by: string): LoginState {
  const isTaken = state.renewal !== undefined && state.renewal.until > Date.now();
  if (isTaken || state.login?.tokens.access_token !== refused) return state;
  return { ...state, renewal: { by, until: Date.now() + TURN_MS } };
}

async function refresh(
  { name, server, requestTimeoutMs }: RenewalOptions,
  { tokens, client, discovery, resource }: Login,
): Promise<OAuthTokens> {
  const sdk = await import("@modelcontextprotocol/client");
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
  try {
    return await sdk.refreshAuthorization(authorizationServerUrl, {
      clientInformation: withOwnSecret(client, server),
      refreshToken: tokens.refresh_token ?? "",
      fetchFn: authorizationFetch(server, { timeoutMs: requestTimeoutMs }),
      ...defined({ metadata: metadata as unknown as AuthorizationServerMetadata | undefined, resource }),
    });
  } catch (error) {
    if (isFinal(sdk, error)) throw needsLogin(name, "its login has expired", error);
    throw couldNot(name, error);
  }
}

/** Adds the client secret from the configuration, which is never stored. */
function withOwnSecret(client: Login["client"], { oauth }: HttpServer): Login["client"] {
  const isOwn = oauth?.clientId === client.client_id && oauth.clientSecret !== undefined;
  return isOwn ? { ...client, client_secret: oauth.clientSecret } : client;
}

/** Returns true for a definite refusal; server errors and rate limits may pass. */
function isFinal(sdk: Sdk, error: unknown): boolean {
  const { ServerError, TemporarilyUnavailable, TooManyRequests } = sdk.OAuthErrorCode;
  const temporary: readonly string[] = [ServerError, TemporarilyUnavailable, TooManyRequests];
  return error instanceof sdk.OAuthError && !temporary.includes(error.code);
}

/** Errors may hold a whole HTML page. */
const MAX_CHARACTERS = 500;

function couldNot(name: string, cause: unknown): ToolError {
  const why = errorMessage(cause).slice(0, MAX_CHARACTERS);
  return new ToolError("UNAVAILABLE", `the login at the MCP server "${name}" could not be renewed: ${why}`, {
    hint: "try again later; the login is still stored",
    cause,
  });
}

/** Merges a token response into a login; fields that the response lacks stay as they were. */
export function toLogin(before: Omit<Login, "tokens" | "expiresAt">, tokens: OAuthTokens): Login {
  const { client, discovery, resource } = before;
  const old = "tokens" in before ? (before as Login).tokens : {};
  const { expires_in: seconds } = tokens;
  const expiresAt = seconds === undefined ? undefined : Date.now() + seconds * 1000;
  return { tokens: { ...old, ...tokens }, client, discovery, ...defined({ resource, expiresAt }) };
}
