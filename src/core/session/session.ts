import type { Key } from "../context.ts";
import { createKey } from "../context.ts";

/** Something that lives as long as a session does. */
export interface Kept<T> {
  readonly value: T;
  /** Called once, when the session or the engine closes. */
  close?(): void | Promise<void>;
}

/** The conversation that a call belongs to, and what lives as long as it: terminals, processes, what was read. */
export interface SessionScope {
  readonly id: string;
  /** The session's own thing under a key; made when first asked for. */
  keep<T>(key: Key<T>, create: () => Kept<T>): T;
}

/** Always there: a call without a session belongs to the engine's own. */
export const Session: Key<SessionScope> = createKey("Session");
