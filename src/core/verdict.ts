import type { GrantOffer } from "./grant.ts";
import type { Rule } from "./rule.ts";
import type { Risk } from "./spec.ts";
import type { Approvers } from "./subject.ts";

/** The decision of policy on a job, and why. */
export interface Verdict {
  /** allow: it runs; ask: it needs approval; deny: it is refused. */
  readonly kind: "allow" | "ask" | "deny";
  readonly reason: string;
  /** The id of the rule that decided. */
  readonly rule: string;
  /** What would allow it. */
  readonly hint?: string;
  /** The risk that was judged, if it is not the job's own: a command proven to only read is low. */
  readonly risk?: Risk;
  /** The program and arguments of a command that is proven to be this one plain program. */
  readonly proven?: readonly string[];
  /** Set by `strictDeny`: the call must run in the session's sandbox, also if a person approves it. */
  readonly isConfined?: true;
  /**
   * Set if the call is allowed only because its command is proven to read, without a rule, a grant or a mode that allows
   * it, or at the level `read-only`: it must run in a read-only sandbox.
   */
  readonly place?: "sandbox";
  /** Set if a rule or a proof allows the call, not a person or the mode: git must not obey the files of the folder. */
  readonly isGuarded?: true;
  /** The narrowest rule that would allow this call without approval; absent if none is offered. */
  readonly grant?: Rule;
  /** Why no lasting grant is offered, as text for people; the offers can still be saved. */
  readonly ungrantable?: string;
  /** Who must approve, of each rule that names some; all of these must be met. */
  readonly approvers?: readonly Approvers[];
  /** Wider rules that a person may choose. */
  readonly offers?: readonly GrantOffer[];
}
