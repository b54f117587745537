import type { Job } from "./job.ts";

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
}

/** May this call run? Pure: the same job and rules give the same verdict. */
export interface Policy {
  judge(job: Job): Verdict;
}
