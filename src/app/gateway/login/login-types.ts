import type { OidcSetting } from "../../config/settings/auth-setting.ts";
import type { Person } from "../../host/people/person.ts";
import type { Refusal } from "./refusal.ts";

/** What shows who sent a request, and that it still counts. */
export interface Credential {
  /** Requests with the same key are of one caller, and share their sessions. */
  readonly key: string;
  /** What the credential was made from: a change ends what is open. */
  readonly made: string;
  readonly person: Person;
  /** Names of the only tools that it may call; null: no limit of its own. */
  readonly tools: readonly string[] | null;
  /** Returns the credential as it is now; undefined if it no longer counts. */
  check(): Promise<Credential | undefined>;
  /** Stores that it was used. */
  noteUse?(): Promise<void>;
}

/** Logs people in at the console, by the provider. */
export interface ConsoleLogin {
  /** Returns what the cookie of a browser shows; asks the provider again when it is time to. */
  find(cookie: string, value: string): Promise<Credential | undefined>;
  /** Returns where a browser logs in, and what it must still have when it comes back. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly browser: string }>;
  /**
   * Returns the cookie of a new session, and for how many seconds it counts. Throws `DENIED` if the login is not the one that this browser began, or not
   * one of somebody who may be here.
   */
  finish(
    address: URL,
    browser: string,
    cookie: string,
  ): Promise<{ readonly value: string; readonly seconds: number }>;
  /** Ends the session of a cookie. Returns where the browser logs out at the provider too. */
  end(cookie: string, value: string, back: string): Promise<string>;
}

/** Finds people by the access tokens that their programs got from the provider. */
export interface ClientLogin {
  /** Returns what a token shows, or why it is refused. A provider that cannot be reached refuses it for now. */
  find(token: string, resources: readonly string[]): Promise<Credential | Refusal>;
}

/** How people log in at a server by the provider of the config. */
export interface ServerLogin {
  readonly setting: OidcSetting;
  /** The origin at which people reach the server; absent: the address that it listens on. */
  readonly url: string | undefined;
  readonly clients: ClientLogin;
  readonly console: ConsoleLogin;
}
