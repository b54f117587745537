import type { Collection } from "../../../core/store/collection.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { HttpServer } from "../transport/server.ts";

/** The tokens that an authorization server granted, as RFC 6749 names them. */
export interface OAuthTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string | undefined;
  readonly id_token?: string | undefined;
  /** The lifetime of the access token in seconds. */
  readonly expires_in?: number | undefined;
  readonly scope?: string | undefined;
  /** The authorization server that granted them. */
  readonly issuer?: string | undefined;
}

/** A client as an authorization server knows it, as RFC 7591 names its parts. */
export interface OAuthClient {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly client_id_issued_at?: number | undefined;
  readonly client_secret_expires_at?: number | undefined;
  /** The authorization server that knows the client. */
  readonly issuer?: string | undefined;
}

/** The authorization server of an MCP server, with the documents that both publish. */
export interface OAuthDiscovery {
  readonly authorizationServerUrl: string;
  /** The metadata of RFC 8414 or OpenID Connect; undefined if the authorization server publishes none. */
  readonly authorizationServerMetadata?: (JsonObject & { readonly issuer: string }) | undefined;
  /** The metadata of RFC 9728; undefined if the MCP server publishes none. */
  readonly resourceMetadata?: JsonObject | undefined;
  readonly resourceMetadataUrl?: string | undefined;
}

/** A client registered at an authorization server, with its redirect URL. */
export interface Registration extends OAuthClient {
  /** Where the authorization server sends the user after the login. */
  readonly redirectUrl: string;
}

/** Granted tokens, with everything needed to renew them. */
export interface Login {
  /** As they were granted last. */
  readonly tokens: OAuthTokens;
  /** When the access token expires, in milliseconds since 1970; undefined if the server did not say. */
  readonly expiresAt?: number;
  /** The client that they were granted to. */
  readonly client: OAuthClient;
  /** Where they are renewed. */
  readonly discovery: OAuthDiscovery;
  /** The resource identifier of the MCP server that the tokens are for. */
  readonly resource?: string;
}

/** What a server asked for when it refused a request. */
export interface Challenge {
  /** The scopes that a login needs; absent if the server did not say. */
  readonly scope?: string;
  /** Where the server publishes its metadata; absent if it did not say. */
  readonly resourceMetadataUrl?: string;
  /** The token is valid, but lacks a scope. */
  readonly isStepUp: boolean;
}

/** What is stored about a login. */
export interface LoginState {
  /** Absent if nobody is logged in. */
  readonly login?: Login;
  /** Reused by the next login, so that it registers no new client. */
  readonly registration?: Registration;
  /** What the server asked for last; absent if it has refused nothing. */
  readonly challenge?: Challenge;
  /** The process that is renewing the login, and until when it has the right to. */
  readonly renewal?: { readonly by: string; readonly until: number };
}

/** The stored login of one server, bound to its name, URL and folder. */
export interface StoredLogin {
  /** Returns the state; empty if nothing is stored. */
  read(): Promise<LoginState>;
  /** Replaces the state by `change(state)`, atomically across processes. */
  update(change: (state: LoginState) => LoginState): Promise<LoginState>;
}

/** Where a login is stored, and which server it is for. */
export interface StoredLoginOptions {
  /** Has the logins of all servers. */
  readonly collection: Collection;
  readonly name: string;
  /** The URL of the server: a login of another URL is not used. */
  readonly url: string;
  /** The project folder that configures the server; default: the user's own config. */
  readonly folder?: string;
}

/** How a person logs in at a server. */
export interface LoginOptions {
  /** The name of the server. */
  readonly name: string;
  /** The server as it is configured. */
  readonly server: HttpServer;
  /** Where the login is read and stored. */
  readonly stored: StoredLogin;
  /** Shows the user the URL to log in at. */
  readonly show: (address: URL) => void | Promise<void>;
  /** How long to wait for the user; default: 5 minutes. */
  readonly timeoutMs?: number;
  /** Time limit of one request; default: 15 s. */
  readonly requestTimeoutMs?: number;
}
