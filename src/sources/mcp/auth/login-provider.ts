import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import type { OAuthSettings } from "../transport/server.ts";
import type { StoredLogin, Login, Registration } from "./stored-login.ts";
import { toLogin } from "./renewal.ts";

export interface LoginProviderOptions {
  readonly stored: StoredLogin;
  readonly settings: OAuthSettings;
  readonly redirectUrl: string;
  /** What must come back with the answer. */
  readonly state: string;
  /** Who issues the tokens, found out for this login and no other. */
  readonly discovery: OAuthDiscoveryState;
  /** Shows the person where to log in. */
  readonly show: (address: URL) => void | Promise<void>;
}

export interface LoginProvider extends OAuthClientProvider {
  /** What was granted; undefined before it was. */
  granted(): Login | undefined;
}

/**
 * One login as the client library wants it. A login that was there stays until the new one is whole; the code verifier lives no
 * longer than this.
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
      if (client === undefined) throw new ToolError("UNAUTHORIZED", "there are tokens, but no client");
      const known = withoutSecret(client, settings);
      const login = toLogin(
        { client: known, discovery, ...(resource !== undefined && { resource }) },
        tokens,
      );
      granted = login;
      await stored.update(({ challenge: _met, renewal: _over, ...before }) => ({ ...before, login }));
    },
    redirectToAuthorization(address) {
      if (!isSafe(address))
        throw new ToolError("DENIED", `its login is at ${address.origin}, which is not reached safely`);
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

/** A client id that is an address is a document about us; where the authorization server does not read such, we register. */
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
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  };
}

/** A server that has chosen another authorization server does not get the secret sent there. */
function assertSameIssuer(
  { client_id, issuer }: StoredOAuthClientInformation,
  login: Login | undefined,
): void {
  const { client } = login ?? {};
  if (client?.client_id !== client_id || client.issuer === undefined || client.issuer === issuer) return;
  throw new ToolError("DENIED", `its logins were at ${client.issuer}, and are now at ${issuer}`, {
    hint: "if that is right, run toolwright mcp logout first",
  });
}

/** What stands in a variable is not written anywhere. */
function withoutSecret(
  client: StoredOAuthClientInformation,
  { clientSecret }: OAuthSettings,
): StoredOAuthClientInformation {
  const { client_secret: secret, ...rest } = client;
  return secret === undefined || secret === clientSecret ? rest : client;
}

/** Authorization servers send users back only to an address that was registered. */
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
    // A program on somebody's machine has no secrets; it says so wherever that is understood.
    ...(methods?.includes("none") === true && { token_endpoint_auth_method: "none" }),
    ...(settings.scope !== undefined && { scope: settings.scope }),
  };
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Whether a name stands for this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
