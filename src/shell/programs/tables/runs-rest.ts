import type { Usage } from "./program.ts";

/** The words that are left once its own options are gone are a command. */
export const RUNS_REST: Usage = {
  operands: "none",
  stopsAtOperand: true,
  starts: [{ kind: "rest" }],
  ungrantable: "wrapper",
};

/** The same, after one operand of its own. */
export const RUNS_AFTER_ONE: Usage = { ...RUNS_REST, starts: [{ kind: "rest", skip: 1 }] };

/** It does nothing but start the command. */
export const ONLY_RUNS_REST: Usage = { ...RUNS_REST, isTransparent: true };
