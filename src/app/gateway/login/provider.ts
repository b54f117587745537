import type * as OpenId from "openid-client";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { OidcSetting } from "../../config/settings/auth-setting.ts";
import { identityOf, type Identity } from "../../host/people/identity.ts";
import { createTokenCheck, type AccessToken } from "./access-tokens.ts";

/** What a login began with: only the browser that began it can end it. */
export interface LoginStart {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** A login at the provider, or one that it has renewed. */
export interface ProviderLogin {
  /** Undefined if a renewal says nothing of the person. */
  readonly identity: Identity | undefined;
  readonly refreshToken: string | undefined;
  /** When to ask the provider again. */
  readonly refreshAt: number;
}

/** An OpenID Connect provider. */
export interface Provider {
  readonly setting: OidcSetting;
  /** Returns where the browser logs in, and what the login began with. */
  begin(redirectUri: string): Promise<LoginStart & { readonly url: URL }>;
  /** Returns the login that the address has, to which the provider sent the browser back. Rejects if any part of it is wrong. */
  finish(address: URL, start: LoginStart): Promise<ProviderLogin>;
  /** Renews a login. Returns undefined if the provider refuses it for good. */
  renew(refreshToken: string): Promise<ProviderLogin | undefined>;
  /** Returns where the browser logs out at the provider; undefined if it has no such page. */
  logoutUrl(back: string): Promise<URL | undefined>;
  /** Returns what an access token says; undefined for one that is not valid for these audiences. Rejects if the provider cannot be reached. */
  check(token: string, audiences: readonly string[]): Promise<AccessToken | undefined>;
}

const SCOPES = ["openid", "profile", "email"];
/** If the provider does not say for how long. */
const RENEW_MS = 3_600_000;
/** Not more often. */
const MIN_RENEW_MS = 60_000;
const TIMEOUT_SECONDS = 10;

/** Creates a provider. Its packages are loaded, and its discovery document is read, when it is first used. */
export function createProvider(setting: OidcSetting, secret: () => Promise<string | undefined>): Provider {
  let opened: Promise<Opened> | undefined;
  const open = (): Promise<Opened> => {
    opened ??= openProvider(setting, secret).catch((error: unknown) => {
      opened = undefined;
      throw unreachable(setting, error);
    });
    return opened;
  };
  return {
    setting,
    begin: async (redirectUri) => begin(await open(), redirectUri, setting),
    async finish(address, { state, nonce, verifier, redirectUri }) {
      const { client, config } = await open();
      const returned = new URL(redirectUri);
      returned.search = address.search;
      const tokens = await client.authorizationCodeGrant(config, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return toLogin(await open(), tokens, setting);
    },
    async renew(refreshToken) {
      const { client, config } = await open();
      try {
        const tokens = await client.refreshTokenGrant(config, refreshToken);
        return await toLogin(await open(), tokens, setting, refreshToken);
      } catch (error) {
        if (error instanceof client.ResponseBodyError) return undefined;
        throw unreachable(setting, error);
      }
    },
    async logoutUrl(back) {
      const { client, config } = await open();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back });
    },
    async check(token, audiences) {
      const { check } = await open();
      return check(token, audiences).catch((error: unknown) => {
        throw unreachable(setting, error);
      });
    },
  };
}

/** Returns where the browser logs in: with a code that only this login can use. */
async function begin({ client, config }: Opened, redirectUri: string, { scopes = SCOPES }: OidcSetting) {
  const [state, nonce, verifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return { state, nonce, verifier, redirectUri, url };
}

interface Opened {
  readonly client: typeof OpenId;
  readonly config: OpenId.Configuration;
  readonly check: ReturnType<typeof createTokenCheck>;
}

async function openProvider(
  setting: OidcSetting,
  readSecret: () => Promise<string | undefined>,
): Promise<Opened> {
  const { issuer, clientId } = setting;
  const [client, jose, secret] = await Promise.all([import("openid-client"), import("jose"), readSecret()]);
  const url = new URL(issuer);
  const config = await client.discovery(url, clientId, {}, authOf(client, secret), {
    timeout: TIMEOUT_SECONDS,
    // Only for a provider on this machine: the config refuses others.
    execute: url.protocol === "http:" ? [client.allowInsecureRequests] : [],
  });
  config.timeout = TIMEOUT_SECONDS;
  return { client, config, check: createTokenCheck({ client, jose, config }) };
}

/** Sends the secret as the specification has it; in the body if the provider takes it only there. */
function authOf(client: Opened["client"], secret: string | undefined): OpenId.ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...request) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const isInBody = offered.includes("client_secret_post") && !offered.includes("client_secret_basic");
    return (isInBody ? post : basic)(server, ...request);
  };
}

/** The claims about a person are those of the ID token, with what only the other endpoint for them has. */
async function toLogin(
  { client, config }: Opened,
  tokens: OpenId.TokenEndpointResponse & OpenId.TokenEndpointResponseHelpers,
  setting: OidcSetting,
  earlier?: string,
): Promise<ProviderLogin> {
  const claims = tokens.claims();
  const { groupsClaim = "groups", nameClaim = "preferred_username" } = setting;
  const isWhole = claims !== undefined && groupsClaim in claims && nameClaim in claims;
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  const more =
    claims === undefined || isWhole || !hasMore
      ? {}
      : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  const seconds = tokens.expiresIn();
  return {
    // Most providers leave the claim out for a person of no group, who must lose the groups of earlier.
    identity: claims && identityOf({ [groupsClaim]: [], ...more, ...claims }, setting),
    refreshToken: tokens.refresh_token ?? earlier,
    refreshAt: Date.now() + Math.max(MIN_RENEW_MS, seconds === undefined ? RENEW_MS : seconds * 1000),
  };
}

function unreachable({ issuer }: OidcSetting, cause: unknown): ToolError {
  if (cause instanceof ToolError) return cause;
  const detail = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return new ToolError("UNAVAILABLE", `the login at ${issuer} does not work now: ${errorMessage(detail)}`, {
    hint: "check the address and the secret in auth.oidc; the tokens of the server still work",
    cause,
  });
}
