import type { CommandReading } from "./command.ts";
import type { CommandFact } from "./fact.ts";
import type { Grant } from "./grant.ts";
import type { Job } from "./job.ts";
import type { Rule } from "./rule.ts";
import type { Subject } from "./subject.ts";
import type { Tool } from "./tool.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Approval mode: what runs without approval. yolo: everything; edits: low risk, and changes of files in the workspace; auto: low
 * risk; ask: nothing; plan: low risk, and the rest is refused.
 */
export type Mode = "yolo" | "edits" | "auto" | "ask" | "plan";

export const MODES: readonly Mode[] = ["yolo", "edits", "auto", "ask", "plan"];

/** Limits of one call, beyond the engine's own rules. A ceiling only makes a verdict stricter. */
export interface Ceiling {
  readonly mode?: Mode;
  /** The only tools that may run, by name; `*` stands for any part of a name. */
  readonly tools?: readonly string[];
  /** Rules that deny or ask; an allow is ignored. */
  readonly rules?: readonly Rule[];
}

export const AFTER_UNTRUSTED_TEXT = ["ask", "always", "off"] as const;
/**
 * Whether calls that can send data need approval after text from outside entered the session, despite rules that allow them. ask: yes, but in mode yolo;
 * always: in mode yolo too; off: no.
 */
export type AfterUntrustedText = (typeof AFTER_UNTRUSTED_TEXT)[number];

export const BORDERS = ["ask", "deny"] as const;
/**
 * What happens to calls that touch paths outside the workspace. ask: reading files of the operating system runs in the read-only sandbox; all else needs
 * approval, but in mode yolo. deny: they are refused in every mode. A rule that names the path allows it.
 */
export type Border = (typeof BORDERS)[number];

/** What happens to a command that no rule allows and that is not proven to only read. */
export const LEVELS = ["ask", "read-only", "workspace"] as const;
export type Level = (typeof LEVELS)[number];

/** The rule of a verdict about a path outside the workspace. */
export const WORKSPACE_BOUNDARY = "workspace-boundary";

/** The rule of a verdict about text from outside. */
export const UNTRUSTED_TEXT = "untrusted-text";

/** What policy knows about a call besides its job. */
export interface Circumstances {
  /** The approval mode of this call, in place of the policy's own; a mode of its rule files still replaces or restricts it. */
  readonly mode?: Mode;
  /** Earlier grants, for this session and for always. */
  readonly grants?: readonly Grant[];
  /** The rules of the session, besides those of the policy; the same list for all calls of a session. */
  readonly rules?: readonly Rule[];
  /** The user on whose behalf the call runs; absent if none was named. */
  readonly subject?: Subject;
  /** Outermost first: a child never has more than its parents. */
  readonly ceilings?: readonly Ceiling[];
  /** Hash of the tool's identity and the final input, as in a grant; called only if a grant may depend on it. */
  readonly hash?: () => string;
  /** Where the text from outside came from that is in the session; absent if there is none. */
  readonly untrusted?: readonly string[];
  /** True if the call runs on another machine, or in another place than that of its tool: the sandbox of the policy does not hold it. */
  readonly isElsewhere?: boolean;
}

/** Decides whether a call may run. Pure: the same job, rules and circumstances give the same verdict. */
export interface Policy {
  /** Loads what judging this call needs; returns undefined if all of it is there. Called for a tool that has `facts` before they are known, with a job without facts; once more if a hook replaces the input. */
  prepare?(job: Job, circumstances: () => Circumstances | undefined): Promise<void> | undefined;
  /** Returns the verdict on a call. */
  judge(job: Job, circumstances?: Circumstances): Verdict;
  /** Returns the origin of the text from outside that the answer of a job will have, as text for people; undefined if it will have none. */
  originOf?(job: Job): string | undefined;
  /** Reads the text of a command; returns a promise only if a parser must be loaded first. Without it commands are not read. */
  read?(command: CommandFact): CommandReading | Promise<CommandReading>;
  /** Returns false if `hides` is false for every path. */
  hidesAny?(tool: Tool, circumstances?: Circumstances): boolean;
  /**
   * Returns true for a canonical path that a tool must leave out when it walks a folder, or must not write on behalf of a page: reading
   * (default) or writing it is denied or needs approval.
   */
  hides?(path: string, tool: Tool, circumstances?: Circumstances, access?: "read" | "write"): boolean;
  /** Returns true for a canonical path of a file with secrets: a tool that was not called for this file must not read it. */
  protects?(path: string, tool: Tool, circumstances?: Circumstances): boolean;
  /** Returns true for a host that a tool must not reach on behalf of a page: it is denied or needs approval. */
  hidesHost?(host: string, tool: Tool, circumstances?: Circumstances): boolean;
}
