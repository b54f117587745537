import { createHash } from "node:crypto";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { Collection } from "../../../core/store/collection.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";

/** A client registered at an authorization server, with its redirect URL. */
export type Registration = StoredOAuthClientInformation & { readonly redirectUrl: string };

/** Granted tokens, with everything needed to renew them. */
export interface Login {
  readonly tokens: StoredOAuthTokens;
  /** When the access token expires, in milliseconds since 1970; undefined if the server did not say. */
  readonly expiresAt?: number;
  readonly client: StoredOAuthClientInformation;
  readonly discovery: OAuthDiscoveryState;
  /** The resource identifier of the MCP server that the tokens are for. */
  readonly resource?: string;
}

/** What a server asked for when it refused a request. */
export interface Challenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
  /** The token is valid, but lacks a scope. */
  readonly isStepUp: boolean;
}

export interface LoginState {
  readonly login?: Login;
  /** Reused by the next login, so that it registers no new client. */
  readonly registration?: Registration;
  readonly challenge?: Challenge;
  /** The process that is renewing the login, and until when it has the right to. */
  readonly renewal?: { readonly by: string; readonly until: number };
}

/** The stored login of one server, bound to its name, URL and folder. */
export interface StoredLogin {
  read(): Promise<LoginState>;
  /** Replaces the state by `change(state)`, atomically across processes. */
  update(change: (state: LoginState) => LoginState): Promise<LoginState>;
}

export interface StoredLoginOptions {
  readonly collection: Collection;
  readonly name: string;
  readonly url: string;
  /** The project folder that configures the server; default: the user's own config. */
  readonly folder?: string;
}

/** Returns the stored login that belongs to this name, URL and folder together. */
export function storedLogin({ collection, name, url, folder }: StoredLoginOptions): StoredLogin {
  const identity = JSON.stringify([new URL(url).href, folder ?? null]);
  const key = `${prefixOf(name)}"${createHash("sha256").update(identity).digest("hex")}"]`;
  return {
    read: async () => fromDocument(await collection.get(key)),
    async update(change) {
      const stored = await collection.update(key, (value) => {
        const next = change(fromDocument(value));
        return Object.values(next).every((part) => part === undefined) ? undefined : toDocument(next);
      });
      return fromDocument(stored);
    },
  };
}

/** Deletes every login under that name, for all URLs. Returns true if there was one. */
export async function forgetLogins(collection: Collection, name: string): Promise<boolean> {
  const stored = await collection.list({ prefix: prefixOf(name) });
  for (const { key } of stored) await collection.delete(key);
  return stored.some(({ value }) => fromDocument(value).login !== undefined);
}

/** Returns the values of a login to mask in output. */
export function secretsOf({ login, registration }: LoginState): readonly string[] {
  const { access_token, refresh_token, id_token } = login?.tokens ?? {};
  const secrets = [login?.client.client_secret, registration?.client_secret];
  return [access_token, refresh_token, id_token, ...secrets].filter((one) => one !== undefined);
}

function prefixOf(name: string): string {
  return `[${JSON.stringify(name)},`;
}

function toDocument(state: LoginState): JsonObject {
  return JSON.parse(JSON.stringify(state)) as JsonObject;
}

/** Not validated: no other program writes these documents. */
function fromDocument(value: Json | undefined): LoginState {
  return isObject(value) ? value : {};
}
