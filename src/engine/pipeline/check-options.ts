import type { Fault } from "../../core/result.ts";
import { approvalProblem } from "../checks/check-approval.ts";
import type { CallState, StageOutcome } from "../call/call-state.ts";

/** Stage: refuses options that decide about the call and have a wrong value: they would limit nothing, or approve it. */
export function checkOptions({ engine, options }: CallState): StageOutcome {
  const { subject, decision, ceilings, whenAsked, place, approvedBy } = options;
  if (subject !== undefined && !isName(subject)) return NO_SUBJECT;
  if (whenAsked !== undefined && whenAsked !== "wait" && whenAsked !== "return") return BAD_WHEN_ASKED;
  if (place !== undefined && !isName(place)) return BAD_PLACE;
  if (approvedBy !== undefined && approvedBy !== "person" && approvedBy !== "engine") return BAD_APPROVED_BY;
  // Throws the fault.
  if (ceilings !== undefined) engine.checkCeilings(ceilings);
  const problem = decision === undefined ? undefined : approvalProblem(decision);
  return problem === undefined ? undefined : badDecision(problem);
}

/** An empty subject would share the approvals of calls without one. */
const NO_SUBJECT: Fault = {
  code: "INVALID_INPUT",
  message: "the subject of a call must be a text that is not empty",
  hint: "pass the id of the user as `subject`, or leave it out",
};

const BAD_WHEN_ASKED: Fault = {
  code: "INVALID_INPUT",
  message: 'whenAsked must be "wait" or "return"',
};

const BAD_APPROVED_BY: Fault = {
  code: "INVALID_INPUT",
  message: 'approvedBy must be "person" or "engine"',
};

const BAD_PLACE: Fault = {
  code: "INVALID_INPUT",
  message: "the place of a call must be a text that is not empty",
};

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function badDecision(problem: string): Fault {
  return {
    code: "INVALID_INPUT",
    message: `the decision on the call is not one: ${problem}`,
    hint: 'pass { approved: true, scope: "once" } or { approved: false, reason }',
  };
}
