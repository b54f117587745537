import { createKey, type Key } from "../context.ts";

/** A value that lives as long as its session. */
export interface SessionResource<T> {
  /** What `getOrCreate` and `find` return. */
  readonly value: T;
  /** Called once, when the session or the engine closes. */
  close?(): void | Promise<void>;
}

/** The session that a call belongs to, with its resources: terminals, processes, files that were read. */
export interface SessionScope {
  readonly id: string;
  /** Returns the session's value under a key; created at the first call. */
  getOrCreate<T>(key: Key<T>, create: () => SessionResource<T>): T;
}

/** Always present: a call without a session belongs to the engine's own session. */
export const SessionKey: Key<SessionScope> = createKey("Session");
