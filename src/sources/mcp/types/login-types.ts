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
  readonly redirectUrl: string;
}

/** Granted tokens, with everything needed to renew them. */
export interface Login {
  readonly tokens: OAuthTokens;
  /** When the access token expires, in milliseconds since 1970; undefined if the server did not say. */
  readonly expiresAt?: number;
  readonly client: OAuthClient;
  readonly discovery: OAuthDiscovery;
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

export interface LoginOptions {
  /** The name of the server. */
  readonly name: string;
  readonly server: HttpServer;
  readonly stored: StoredLogin;
  /** Shows the user the URL to log in at. */
  readonly show: (address: URL) => void | Promise<void>;
  /** How long to wait for the user; default: 5 minutes. */
  readonly timeoutMs?: number;
  /** Time limit of one request; default: 15 s. */
  readonly requestTimeoutMs?: number;
}
