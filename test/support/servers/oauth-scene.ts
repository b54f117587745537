import type { TestContext } from "node:test";
import type { Collection } from "../../../src/core/store/collection.ts";
import { createMemoryCollections } from "../../../src/util/json/memory-collections.ts";
import type { StoredLogin, Login } from "../../../src/sources/mcp/types/login-types.ts";
import { storedLogin } from "../../../src/sources/mcp/auth/stored-login.ts";
import { logIn } from "../../../src/sources/mcp/login.ts";
import type { HttpServer, OAuthSettings } from "../../../src/sources/mcp/transport/server.ts";
import { mcpEngine, type McpEngine } from "./mcp.ts";
import { followInBrowser, oauthPlace, type OAuthPlace, type OAuthPlan } from "./oauth-server.ts";

const SIGNAL = new AbortController().signal;

/** A server named raw that needs a login, and where the login is stored. */
export interface Scene {
  readonly place: OAuthPlace;
  readonly logins: Collection;
  readonly stored: StoredLogin;
  readonly server: HttpServer;
  readonly logIn: (
    show?: (address: URL) => void | Promise<void>,
    signal?: AbortSignal,
  ) => Promise<Login | undefined>;
  readonly engine: (server?: HttpServer) => Promise<McpEngine>;
}

export async function sceneOf(t: TestContext, plan: OAuthPlan = {}, oauth?: OAuthSettings): Promise<Scene> {
  const place = await oauthPlace(t, plan);
  const logins = createMemoryCollections().open("mcp-logins");
  const server: HttpServer = { ...place.server, ...(oauth && { oauth }) };
  const stored = storedLogin({ collection: logins, name: "raw", url: server.url });
  const browse = (address: URL): void => void followInBrowser(address);
  return {
    place,
    logins,
    stored,
    server,
    logIn: (show = browse, signal = SIGNAL) =>
      logIn({ name: "raw", server, stored, show, timeoutMs: 5000, requestTimeoutMs: 1000 }, signal),
    async engine(at = server) {
      const early: string[] = [];
      let hide = (secret: string): void => void early.push(secret);
      const made = await mcpEngine(t, { server: at, logins, onSecret: (secret) => hide(secret) });
      hide = (secret) => made.engine.masker.learn(secret);
      for (const secret of early) hide(secret);
      return made;
    },
  };
}
