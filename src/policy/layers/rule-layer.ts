import type { Mode } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";

/** Rules from one origin. Layers are ordered: built-in, user, project, session. */
export interface RuleLayer {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** False for an untrusted project: its allow rules are ignored. */
  readonly mayAllow: boolean;
  /** Replaces the mode of the layers below; if the layer may not allow, both modes apply. */
  readonly mode?: Mode;
}
