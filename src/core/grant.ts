import type { Rule } from "./rule.ts";

export const GRANT_SCOPES = ["session", "always"] as const;
/** How long a saved approval holds. */
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** A saved approval: for the session, or for always. */
export interface Grant {
  readonly id: string;
  readonly scope: GrantScope;
  /** Hash of the tool's identity and the final input of the approved call. */
  readonly hash: string;
  /** The calls that need no approval from now on; absent if only the identical call does. */
  readonly rule?: Rule;
  readonly tool: string;
  /** The user to whose calls alone the grant applies; absent if the approved call named none. */
  readonly subject?: string;
  /** The folder in which the approved command ran: the grant holds only there. Absent if the call had no command. */
  readonly folder?: string;
  /** A canonical folder that the grant adds to the workspace, for the calls of every tool: its `tool` is then `WORKSPACE_GRANT`. */
  readonly adds?: string;
  /** Milliseconds since 1970. */
  readonly grantedAt: number;
}

/** The tool and the hash of a grant that adds a folder to the workspace. */
export const WORKSPACE_GRANT = "*";

/** A rule that a person may save when approving a call and that is wider than the narrowest one, or a folder to add to the workspace. */
export interface GrantOffer {
  readonly scope: GrantScope;
  /** The calls that it allows, as text for people: `edit_file in src/`; of a folder, its path. */
  readonly label: string;
  /** Of a folder: its paths. */
  readonly rule: Rule;
  /** Rules that are saved with it. */
  readonly more?: readonly Rule[];
  /** The canonical folder that it adds to the workspace, in place of saving the rule: calls there are judged as in the workspace. */
  readonly adds?: string;
  /** What a person must know before saving it. */
  readonly warning?: string;
}

/** The call for which grants are looked up. */
export interface GrantQuery {
  readonly session: string | undefined;
  readonly subject: string | undefined;
  readonly tool: string;
  readonly hash: string;
}

/** The port of grants. Stored grants are valid after a restart. */
export interface Grants {
  /**
   * Returns the grants that may cover a call: those of its session and for always, of its subject and tool, with a rule or of exactly
   * this call. Looks at no others.
   */
  find(query: GrantQuery): Promise<readonly Grant[]>;
  /** Returns the grants of a session and those for always. */
  list(session: string | undefined): Promise<readonly Grant[]>;
  /** Stores a grant; `session` is the one it holds in, if its scope is `session`. */
  add(grant: Grant, session: string | undefined): Promise<void>;
  /** Returns true if there was one. */
  revoke(id: string): Promise<boolean>;
  /** Forgets the grants of a session, which has ended. */
  endSession?(session: string): Promise<void>;
}
