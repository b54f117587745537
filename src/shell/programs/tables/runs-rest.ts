import type { Usage } from "./program.ts";

/** The words after its own options are a command. */
export const RUNS_REST: Usage = {
  operands: "none",
  stopsAtOperand: true,
  starts: [{ kind: "rest" }],
  ungrantable: "wrapper",
};

/** The same, after one operand. */
export const RUNS_AFTER_ONE: Usage = { ...RUNS_REST, starts: [{ kind: "rest", skip: 1 }] };

/** It only starts the command. */
export const ONLY_RUNS_REST: Usage = { ...RUNS_REST, readOnly: true };
