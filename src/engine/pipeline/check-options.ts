import type { Fault } from "../../core/result.ts";
import { optionProblem, type OptionKinds } from "../../util/json/check-options.ts";
import { defined } from "../../util/json/defined.ts";
import { approvalProblem } from "../checks/check-approval.ts";
import type { CallState, StageOutcome } from "../call/call-state.ts";
import type { CallOptions, RunOptions, RunOrder } from "../types/options.ts";

/** Stage: refuses options that decide about the call and have a wrong value: they would limit nothing, or approve it. */
export function checkOptions({ engine, options }: CallState): StageOutcome {
  const wrong = optionProblem(options, KINDS, OF_CALLERS);
  if (wrong !== undefined) {
    const { message, hint } = wrong;
    return { code: "INVALID_INPUT", message: `the call: ${message}`, ...defined({ hint }) };
  }
  const { decision, ceilings } = options;
  // Throws the fault.
  if (ceilings !== undefined) engine.checkCeilings(ceilings);
  const problem = decision === undefined ? undefined : approvalProblem(decision);
  return problem === undefined ? undefined : badDecision(problem);
}

const NAME = "a text that is not empty";
const POSITIVE = "a positive number";

/** Those of a call, and of many calls together. */
const OF_CALLERS: OptionKinds<RunOptions & RunOrder> = {
  whenAsked: ["wait", "return"],
  decision: "anything",
  approvedBy: ["person", "engine"],
  // An empty one would share the approvals of calls without one.
  subject: "an id that is not empty, or { id, groups, roles }",
  usage: "an object",
  signal: "an AbortSignal",
  session: "a text",
  agent: "an object",
  context: "a list",
  timeoutMs: POSITIVE,
  idleTimeoutMs: POSITIVE,
  maxBytes: "a number of at least 0",
  place: NAME,
  ceilings: "anything",
  fence: "true or false",
  parallel: "anything",
  concurrency: POSITIVE,
};

/** With those that the engine adds. */
const KINDS: OptionKinds<CallOptions & RunOrder> = {
  ...OF_CALLERS,
  parentId: "a text",
  depth: "a number of at least 0",
  approvedCalls: "anything",
  holdsSlot: "true or false",
  whileAsked: "a function",
  slot: "an object",
  resumed: "an object",
};

/** Returns options whose every member is their own: those of a class or a prototype would be lost for inner calls, which get a copy. */
export function ownOptions<T extends CallOptions>(options: T): T {
  const prototype: unknown = typeof options === "object" && Object.getPrototypeOf(options ?? {});
  if (prototype === false || prototype === null || prototype === Object.prototype) return options;
  const named = Object.keys(KINDS).filter((name) => name in options);
  return { ...options, ...Object.fromEntries(named.map((name) => [name, options[name as keyof T]])) };
}

function badDecision(problem: string): Fault {
  return {
    code: "INVALID_INPUT",
    message: `the decision on the call is not one: ${problem}`,
    hint: 'pass { approved: true, scope: "once" } or { approved: false, reason }',
  };
}
