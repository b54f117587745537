import type { CommandReading } from "./command.ts";
import type { CommandFact } from "./fact.ts";
import type { Grant, GrantOffer } from "./grant.ts";
import type { Job } from "./job.ts";
import type { Rule } from "./rule.ts";
import type { Risk } from "./spec.ts";
import type { Tool } from "./tool.ts";

/**
 * Approval mode: what runs without approval. yolo: everything; edits: low risk, and changes of files in the workspace; auto: low
 * risk; ask: nothing; plan: low risk, and the rest is refused.
 */
export type Mode = "yolo" | "edits" | "auto" | "ask" | "plan";

export const MODES: readonly Mode[] = ["yolo", "edits", "auto", "ask", "plan"];

/** The decision of policy on a job, and why. */
export interface Verdict {
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
  /**
   * Set if the call is allowed only because its command is proven to read, without a rule, a grant or a mode that allows
   * it: it must run in a read-only sandbox.
   */
  readonly place?: "sandbox";
  /** Set if a rule or a proof allows the call, not a person or the mode: git must not obey the files of the folder. */
  readonly isGuarded?: true;
  /** The narrowest rule that would allow this call without approval; absent if none is offered. */
  readonly grant?: Rule;
  /** Why no lasting grant is offered, as text for people; the offers can still be saved. */
  readonly ungrantable?: string;
  /** Wider rules that a person may choose. */
  readonly offers?: readonly GrantOffer[];
}

/** Limits of one call, beyond the engine's own rules. A ceiling only makes a verdict stricter. */
export interface Ceiling {
  readonly mode?: Mode;
  /** The only tools that may run, by name; `*` stands for any part of a name. */
  readonly tools?: readonly string[];
  /** Rules that deny or ask; an allow is ignored. */
  readonly rules?: readonly Rule[];
}

/** What policy knows about a call besides its job. */
export interface Circumstances {
  /** Earlier grants, for this session and for always. */
  readonly grants?: readonly Grant[];
  /** The rules of the session, besides those of the policy; the same list for all calls of a session. */
  readonly rules?: readonly Rule[];
  /** Outermost first: a child never has more than its parents. */
  readonly ceilings?: readonly Ceiling[];
  /** Hash of the tool's identity and the final input, as in a grant; called only if a grant may depend on it. */
  readonly hash?: () => string;
}

/** Decides whether a call may run. Pure: the same job, rules and circumstances give the same verdict. */
export interface Policy {
  judge(job: Job, circumstances?: Circumstances): Verdict;
  /** Reads the text of a command; returns a promise only if a parser must be loaded first. Without it commands are not read. */
  read?(command: CommandFact): CommandReading | Promise<CommandReading>;
  /** Returns false if `hides` is false for every path. */
  hidesAny?(tool: Tool, circumstances?: Circumstances): boolean;
  /** Returns true for a canonical path that a tool which walks a folder must leave out: reading it is denied or needs approval. */
  hides?(path: string, tool: Tool, circumstances?: Circumstances): boolean;
}
