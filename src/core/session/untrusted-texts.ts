/** The text from outside that is in a session. */
export interface StoredOrigins {
  /** Where it came from, as text for people. */
  readonly origins: readonly string[];
  /** When the first of it came, in milliseconds since 1970. */
  readonly since: number;
}

/** The port of sessions with text from outside: a session that is resumed in another process still has the text. */
export interface UntrustedTexts {
  find(session: string): Promise<StoredOrigins | undefined>;
  set(session: string, origins: StoredOrigins): Promise<void>;
}
