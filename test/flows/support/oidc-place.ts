import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createBrowser,
  startProvider,
  type RunningProvider,
} from "../../support/servers/oidc-provider.ts";
import { createPlace, type Place } from "./cli.ts";

/** The roles of the groups of the provider. */
const GROUP_ROLES = { dev: ["caller"], ops: ["approver"], eyes: ["viewer"], boss: ["admin"] };

/** Returns a place whose server lets people of a provider on loopback in. */
export async function createOidcPlace(
  t: TestContext,
  oidc: object = {},
  config: object = {},
  clientAuth?: Parameters<typeof startProvider>[1],
): Promise<{ readonly provider: RunningProvider; readonly place: Place }> {
  const provider = await startProvider(t, clientAuth);
  const place = createPlace(t);
  const secret = join(place.home, "client-secret");
  writeFileSync(secret, `${CLIENT_SECRET}\n`);
  const login = {
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecretFile: secret,
    roles: GROUP_ROLES,
  };
  writeFileSync(
    join(place.home, "config.json"),
    JSON.stringify({ ...config, auth: { oidc: { ...login, ...oidc } } }),
  );
  return { provider, place };
}

/** An MCP client that logs in with a browser, which has no screen. */
export function createMcpLogin(provider: RunningProvider, user: string) {
  const [redirectUrl, browser] = ["http://127.0.0.1:1/back", createBrowser()];
  let [information, stored, verifier]: [OAuthClientInformationMixed?, OAuthTokens?, string?] = [];
  const login = { answer: new URLSearchParams(), asked: [] as URL[] };
  let discovered: OAuthDiscoveryState | undefined;
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: "test",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => information,
    saveClientInformation: (one) => void (information = one),
    tokens: () => stored,
    saveTokens: (tokens) => void (stored = tokens),
    saveCodeVerifier: (text) => void (verifier = text),
    codeVerifier: () => verifier ?? "",
    saveDiscoveryState: (state) => void (discovered = state),
    discoveryState: () => discovered,
    async redirectToAuthorization(url) {
      login.asked.push(url);
      provider.login = user;
      const { url: back } = await browser.open(url, redirectUrl);
      login.answer = back.searchParams;
    },
  };
  return { authProvider, login, tokens: () => stored };
}
