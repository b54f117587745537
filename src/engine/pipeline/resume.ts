import type { Approval } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import type { ToolResult } from "../../core/result.ts";
import { checkOptions } from "../../util/json/check-options.ts";
import { failedResult, toFault } from "../../util/json/fault.ts";
import { approvalProblem } from "../checks/check-approval.ts";
import { cancelledError } from "../call/call-state.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { ResumeOptions } from "../types/options.ts";
import type { SuspendedDetails } from "./suspend.ts";

/**
 * Runs a suspended call with the decision, once, whichever process resumes it, and returns its one answer. A resumption in this process
 * waits for one that is running, and a later one returns the recorded answer. Never rejects: an unknown token, an invalid decision and a
 * call that another process still runs are answered with an error.
 */
export async function resume(
  engine: EngineParts,
  token: string,
  decision: Approval,
  options: ResumeOptions,
): Promise<ToolResult> {
  const running = engine.resuming.get(token);
  if (running !== undefined) return running;
  const answer = resumeCall(engine, token, decision, options).catch((error: unknown) =>
    failedResult("", "", toFault(error)),
  );
  engine.resuming.set(token, answer);
  try {
    return await answer;
  } finally {
    engine.resuming.delete(token);
  }
}

async function resumeCall(
  engine: EngineParts,
  token: string,
  decision: Approval,
  options: ResumeOptions,
): Promise<ToolResult> {
  const { journal } = engine;
  checkOptions("engine.resume", options, { signal: "an AbortSignal", context: "a list", agent: "an object" });
  // Checked before the call is claimed: a claimed call is answered.
  const problem = approvalProblem(decision);
  if (problem !== undefined)
    throw new ToolError("INVALID_INPUT", `the decision on the call is not one: ${problem}`, {
      hint: 'pass { approved: true, scope: "once" } or { approved: false, reason }',
    });
  if (engine.isClosed() || options.signal?.aborted === true) throw cancelledError(engine, options.signal);
  const claimed = await journal?.claim(token);
  if (claimed === undefined)
    throw new ToolError("INVALID_INPUT", "no call was suspended under this token", {
      hint: "pass the token of the pending call, to an engine with the same store",
    });
  const { record, entry, details } = claimed;
  if (entry === undefined && record.answer !== null) return record.answer;
  if (entry === undefined)
    throw new ToolError("UNAVAILABLE", `call ${record.callId} was resumed before and has no answer yet`, {
      hint: "resume it again later: the answer is then returned",
    });
  const { request, rule, approvedCalls, options: stored } = details as unknown as SuspendedDetails;
  const keys = approvedCalls === null ? undefined : new Set(approvedCalls);
  const resumed = { entry, decision, request, rule, approvedCalls: keys };
  const call = { id: record.callId, name: record.name, input: record.input };
  // Its options have no `whenAsked`: it is not suspended again.
  return engine.run(call, { ...options, ...stored, resumed }) as Promise<ToolResult>;
}
