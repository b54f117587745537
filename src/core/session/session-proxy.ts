import { createKey, type Key } from "../context.ts";

/** The intercepting proxy of a session: programs that use it have their traffic captured. */
export interface SessionProxy {
  /** Such as `http://session:PASSWORD@127.0.0.1:40123`. It takes requests to loopback addresses too. */
  readonly url: string;
  /** A PEM file with the certificate of the session's own authority, which signs what HTTPS clients see. */
  readonly caFile: string;
  /** The base64 SHA-256 of the authority's public key, for Chromium's `--ignore-certificate-errors-spki-list`. */
  readonly caSpki: string;
}

/**
 * Returns the proxy of the call's session, which it starts if it does not run; undefined if the tools of the proxy are not active in the
 * session. Rejects with `UNAVAILABLE` if the proxy cannot start: a program that should be captured must not go around it.
 */
export type OpenSessionProxy = () => Promise<SessionProxy | undefined>;

/** For tools that reach the network. Absent in an engine without the proxy tools. */
export const SessionProxyKey: Key<OpenSessionProxy> = createKey("SessionProxy");
