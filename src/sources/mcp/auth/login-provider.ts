import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { defined } from "../../../util/json/defined.ts";
import { ToolError } from "../../../core/errors.ts";
import type { OAuthSettings } from "../transport/server.ts";
import type { OAuthDiscovery, StoredLogin, Login, Registration } from "../types/login-types.ts";
import { toLogin } from "./renewal.ts";

export interface LoginProviderOptions {
  readonly stored: StoredLogin;
  readonly settings: OAuthSettings;
  readonly redirectUrl: string;
  /** The value that the redirect must carry. */
  readonly state: string;
  /** The authorization server, discovered for this login. */
  readonly discovery: OAuthDiscoveryState;
  /** Shows the user the URL to log in at. */
  readonly show: (address: URL) => void | Promise<void>;
}

export interface LoginProvider extends OAuthClientProvider {
  /** Returns the granted login; undefined until then. */
  granted(): Login | undefined;
}

/**
 * Creates the provider of one login for the MCP SDK. An earlier login stays stored until the new one is complete; the code verifier is
 * only held in memory.
 */
export function createLoginProvider(options: LoginProviderOptions): LoginProvider {
  const { stored, settings, redirectUrl, state, show } = options;
  let { discovery } = options;
  let client: StoredOAuthClientInformation | undefined;
  let verifier = "";
  let resource: string | undefined;
  let granted: Login | undefined;
  return {
    granted: () => granted,
    redirectUrl,
    clientMetadata: metadataOf(options),
    ...(isDocument(settings.clientId) && { clientMetadataUrl: settings.clientId }),
    state: () => state,
    async clientInformation() {
      const { login, registration } = await stored.read();
      client ??= ownClient(settings, discovery) ?? registeredFor(redirectUrl, registration);
      if (client?.client_secret !== undefined) assertSameIssuer(client, login);
      return client;
    },
    async saveClientInformation(information) {
      client = information;
      const registration: Registration = { ...information, redirectUrl };
      if (ownClient(settings, discovery) === undefined)
        await stored.update((before) => ({ ...before, registration }));
    },
    tokens: () => granted?.tokens,
    async saveTokens(tokens) {
      if (client === undefined)
        throw new ToolError("UNAUTHORIZED", "received tokens without a registered client");
      const known = { client: withoutSecret(client, settings), discovery: discovery as OAuthDiscovery };
      const login = toLogin({ ...known, ...defined({ resource }) }, tokens);
      granted = login;
      await stored.update(({ challenge: _met, renewal: _over, ...before }) => ({ ...before, login }));
    },
    redirectToAuthorization(address) {
      if (!isSafe(address))
        throw new ToolError(
          "DENIED",
          `refusing to log in at ${address.origin} over plain HTTP: the token would be sent unencrypted`,
        );
      return show(address);
    },
    saveCodeVerifier: (made) => void (verifier = made),
    codeVerifier: () => verifier,
    saveResourceUrl: (url) => void (resource = url),
    saveDiscoveryState: (found) => void (discovery = found),
    discoveryState: () => discovery,
    async invalidateCredentials(what) {
      if (what !== "all" && what !== "client") return;
      client = undefined;
      await stored.update(({ registration: _refused, ...before }) => before);
    },
  };
}

/** Returns true for a client id that is the URL of a metadata document. The SDK registers a client if the server does not support those. */
function isDocument(clientId: string | undefined): clientId is string {
  return clientId?.startsWith("https://") === true;
}

function ownClient(
  { clientId, clientSecret }: OAuthSettings,
  { authorizationServerMetadata: metadata, authorizationServerUrl }: OAuthDiscoveryState,
): StoredOAuthClientInformation | undefined {
  if (clientId === undefined || isDocument(clientId)) return undefined;
  return {
    client_id: clientId,
    issuer: metadata?.issuer ?? authorizationServerUrl,
    ...defined({ client_secret: clientSecret }),
  };
}

/** Refuses to send the client secret to an authorization server other than the one used before. */
function assertSameIssuer(
  { client_id, issuer }: StoredOAuthClientInformation,
  login: Login | undefined,
): void {
  const { client } = login ?? {};
  if (client?.client_id !== client_id || client.issuer === undefined || client.issuer === issuer) return;
  throw new ToolError("DENIED", `the authorization server changed from ${client.issuer} to ${issuer}`, {
    hint: "if this is expected, run toolwright mcp logout first",
  });
}

/** Removes a secret that comes from an environment variable: it is never stored. */
function withoutSecret(
  client: StoredOAuthClientInformation,
  { clientSecret }: OAuthSettings,
): StoredOAuthClientInformation {
  const { client_secret: secret, ...rest } = client;
  return secret === undefined || secret === clientSecret ? rest : client;
}

/** Returns the stored registration if it has this redirect URL: servers redirect only to registered URLs. */
function registeredFor(
  redirectUrl: string,
  registration: Registration | undefined,
): StoredOAuthClientInformation | undefined {
  if (registration?.redirectUrl !== redirectUrl) return undefined;
  const { redirectUrl: _same, ...information } = registration;
  return information;
}

function metadataOf({ redirectUrl, settings, discovery }: LoginProviderOptions): OAuthClientMetadata {
  const methods = discovery.authorizationServerMetadata?.token_endpoint_auth_methods_supported;
  return {
    client_name: "Toolwright",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // A local program cannot keep a client secret, so it registers as a public client if the server supports that.
    ...(methods?.includes("none") === true && { token_endpoint_auth_method: "none" }),
    ...defined({ scope: settings.scope }),
  };
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Returns true for a host name of the loopback interface. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
