import type { Rule } from "./rule.ts";

/** A yes that lasts: for the session, or for always. */
export interface Grant {
  readonly id: string;
  readonly scope: "session" | "always";
  /** Of the tool's identity and the final input of the call that was approved. */
  readonly hash: string;
  /** What is silent from now on; left out where only the very same call is. */
  readonly rule?: Rule;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly grantedAt: number;
}

/** The port of grants. What is kept is valid after a restart. */
export interface Grants {
  /** Those of a session and those for always. */
  list(session: string | undefined): Promise<readonly Grant[]>;
  add(grant: Grant, session: string | undefined): Promise<void>;
  /** True where there was one. */
  revoke(id: string): Promise<boolean>;
}
