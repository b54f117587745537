import { createHash } from "node:crypto";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { Collection } from "../../../core/store/collection.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";

/** A client that an authorization server knows, and where it sends the user back to. */
export type Registration = StoredOAuthClientInformation & { readonly redirectUrl: string };

/** What was granted, with all that it takes to renew it. */
export interface Login {
  readonly tokens: StoredOAuthTokens;
  /** When the access token ends, in milliseconds since 1970; undefined where nobody said. */
  readonly expiresAt?: number;
  readonly client: StoredOAuthClientInformation;
  readonly discovery: OAuthDiscoveryState;
  /** What the tokens are for, as the server calls itself. */
  readonly resource?: string;
}

/** What a server has asked for when it refused us. */
export interface Challenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
  /** What was granted is good, but not enough. */
  readonly isStepUp: boolean;
}

export interface LoginState {
  readonly login?: Login;
  /** For the next login, so that not each one registers a client. */
  readonly registration?: Registration;
  readonly challenge?: Challenge;
  /** Who renews the login now, and until when nobody else does. */
  readonly renewal?: { readonly by: string; readonly until: number };
}

/** The login at one server: what another address, or another name, never gets. */
export interface StoredLogin {
  read(): Promise<LoginState>;
  /** Makes of what is there what shall be there, with nobody between, in no process. */
  update(change: (state: LoginState) => LoginState): Promise<LoginState>;
}

export interface StoredLoginOptions {
  readonly collection: Collection;
  readonly name: string;
  readonly url: string;
  /** The folder that the server came with; left out: it is the user's own. */
  readonly folder?: string;
}

/** The login that belongs to this name, address and folder together. */
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

/** Forgets every login under that name, whatever its address. True where there was one. */
export async function forgetLogins(collection: Collection, name: string): Promise<boolean> {
  const stored = await collection.list({ prefix: prefixOf(name) });
  for (const { key } of stored) await collection.delete(key);
  return stored.some(({ value }) => fromDocument(value).login !== undefined);
}

/** What nobody may see of a login. */
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

/** Only we write these documents. */
function fromDocument(value: Json | undefined): LoginState {
  return isObject(value) ? value : {};
}
