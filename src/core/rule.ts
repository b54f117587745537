import type { JsonObject } from "./json.ts";
import type { Approvers, People } from "./subject.ts";

export const DECISIONS = ["allow", "ask", "deny"] as const;
/** allow: the call runs; ask: it needs approval; deny: it is refused. */
export type Decision = (typeof DECISIONS)[number];

/** A call that shows what a rule means; it is tested when the rule is loaded. */
export type RuleExample = string | { readonly tool?: string; readonly input: JsonObject };

/**
 * A rule of a policy. Every condition that is given must hold; a rule without conditions matches every call.
 * Of all rules that match, the strictest decides.
 */
export interface Rule {
  readonly id?: string;
  /** Names of tools; `*` stands for any part of a name. */
  readonly tool?: string | readonly string[];
  readonly source?: string;
  readonly group?: string;
  /** Globs over canonical paths; `~/` is the user's home, a relative glob is relative to the workspace. */
  readonly path?: string | readonly string[];
  /** With `path`: only this kind of access. */
  readonly access?: "read" | "write";
  /** Tokens of one simple command: the program, then its arguments. */
  readonly command?: readonly string[];
  /** With `command`, in a rule that allows: the canonical folder in which the command must run. */
  readonly folder?: string;
  /** With `command`: nothing may follow the tokens. With `input`: no other parameter may be given. */
  readonly exact?: boolean;
  /** Hosts; `*.example.com` is every host below it. */
  readonly domain?: string | readonly string[];
  /** Parameters that must have exactly these values. */
  readonly input?: JsonObject;
  /** The people whose calls match. Of a call whose user is not known, a rule that allows matches none, and any other may match. */
  readonly who?: People;
  /** The people whose calls do not match. Calls of an unknown user are not theirs; a rule that allows does not match them either. */
  readonly except?: People;
  /** In a rule that asks: only these people approve, each call by itself. */
  readonly approvers?: Approvers;
  /** In a rule that allows: it was made for sending data although text from outside is in the session. */
  readonly afterUntrustedText?: boolean;
  /** What happens to the calls that match. */
  readonly decision: Decision;
  readonly reason?: string;
  /** Calls that the rule must match, and calls that it must not match. */
  readonly match?: readonly RuleExample[];
  /** The reverse of `match`. */
  readonly not_match?: readonly RuleExample[];
}
