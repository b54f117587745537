/** The text from outside that is in a session. */
export interface StoredOrigins {
  /** Where it came from, as text for people. */
  readonly origins: readonly string[];
  /** When the first of it came, in milliseconds since 1970. */
  readonly since: number;
}

/** The port of sessions with text from outside: a session that is resumed in another process still has the text. */
export interface UntrustedTexts {
  /** Returns undefined for a session without text from outside. */
  find(session: string): Promise<StoredOrigins | undefined>;
  /** Stores the origins of a session, in place of earlier ones. */
  set(session: string, origins: StoredOrigins): Promise<void>;
}

/** The text from outside that has entered a session, its parents or its children: what a child answers, its parent reads. */
export interface UntrustedText {
  /** Where the text came from, oldest first; undefined if there is none. */
  readonly origins: readonly string[] | undefined;
  /** When the first text came, in milliseconds since 1970; infinity if there is none. */
  readonly since: number;
  /** Loads what an earlier process stored, once. Rejects if the store fails: it is then unknown what the session has read. */
  load(): undefined | Promise<void>;
  /** Adds an origin. Returns a promise if it must be stored first. */
  add(origin: string): undefined | Promise<void>;
}
