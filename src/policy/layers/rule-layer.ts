import type { Mode } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";

/** Rules from one place. Layers lie over each other: built in, user, project, session. */
export interface RuleLayer {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** False for a project that nobody trusted: it only tightens, and its allows are ignored. */
  readonly mayAllow: boolean;
  /** In place of the mode below; where the layer may not allow, beside it. */
  readonly mode?: Mode;
}
