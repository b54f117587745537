import type { CommandReading } from "./command.ts";
import type { CommandFact } from "./fact.ts";
import type { Grant } from "./grant.ts";
import type { Job } from "./job.ts";
import type { Rule } from "./rule.ts";
import type { Risk } from "./spec.ts";
import type { Tool } from "./tool.ts";

/** How much runs unasked: yolo everything, auto low risk, ask nothing; plan runs low risk and refuses the rest. */
export type Mode = "yolo" | "auto" | "ask" | "plan";

export const MODES: readonly Mode[] = ["yolo", "auto", "ask", "plan"];

/** What policy says of a job, and why. */
export interface Verdict {
  readonly kind: "allow" | "ask" | "deny";
  readonly reason: string;
  /** The id of the rule that decided. */
  readonly rule: string;
  /** What would allow it. */
  readonly hint?: string;
  /** The risk that was judged, where it is not the job's own: a command proven to read only is low. */
  readonly risk?: Risk;
  /** The program and arguments of a command that is proven to be this one plain program. */
  readonly proven?: readonly string[];
  /** The narrowest rule that would make this very call silent; left out where none is offered. */
  readonly grant?: Rule;
  /** Why no lasting grant is offered, for people. */
  readonly ungrantable?: string;
}

/** More than the engine's own rules: what bounds this one call. A ceiling only ever makes a verdict stricter. */
export interface Ceiling {
  readonly mode?: Mode;
  /** The only tools that may run, by name; `*` stands for any part of a name. */
  readonly tools?: readonly string[];
  /** Denies and asks; an allow in it is ignored. */
  readonly rules?: readonly Rule[];
}

/** What is known of a call beside its job. */
export interface Circumstances {
  /** What was granted before, for this session and for always. */
  readonly grants?: readonly Grant[];
  /** Outermost first: a child never has more than its parents. */
  readonly ceilings?: readonly Ceiling[];
  /** Of the tool's identity and the final input, as grants carry it; asked for only where a grant may hang on it. */
  readonly hash?: () => string;
}

/** May this call run? Pure: the same job, rules and circumstances give the same verdict. */
export interface Policy {
  judge(job: Job, circumstances?: Circumstances): Verdict;
  /** Reads a command's text; a promise only where a parser must be loaded first. Without it commands are not read. */
  read?(command: CommandFact): CommandReading | Promise<CommandReading>;
  /** True for a canonical path that a tool which goes through a folder must leave out: reading it is denied or asked about. */
  hides?(path: string, tool: Tool, circumstances?: Circumstances): boolean;
}
