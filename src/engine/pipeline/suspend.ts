import type { ApprovalRequest } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { maskValue } from "../../secrets/mask-json.ts";
import { cancelledError, type CallState } from "../call/call-state.ts";
import type { CallOptions } from "../types/options.ts";

/** Ends the stages of a suspended call; its caller gets `state.pending`. */
const SUSPENDED: Fault = { code: "DENIED", message: "the call was suspended" };

/** What is stored of a suspended call besides the call itself. */
export interface SuspendedDetails {
  readonly request: ApprovalRequest;
  readonly rule: string;
  /** Keys of the calls that an approval covers. */
  readonly approvedCalls: readonly string[] | null;
  readonly options: Pick<
    CallOptions,
    "session" | "subject" | "ceilings" | "timeoutMs" | "idleTimeoutMs" | "fence" | "place"
  >;
}

/** Suspends a call that needs approval: it waits in the journal, and `engine.resume` goes on with it in any process. */
export async function suspend(
  state: CallState,
  request: ApprovalRequest,
  rule: string,
  approvedCalls: ReadonlySet<string> | undefined,
): Promise<Fault> {
  const { engine, call, options, journal } = state;
  const { masker } = engine;
  if (state.cancelled) throw cancelledError(state.engine, state.options.signal);
  if (journal === undefined) throw cannotWait(call.name, "the engine has no journal", NO_JOURNAL);
  const isMasked = hashOf(copyJson(call.input, undefined)) !== hashOf(maskValue(call.input, masker));
  if (isMasked) throw cannotWait(call.name, "its input has a secret, which is not stored", HAS_SECRET);
  const maskedRequest = maskValue(request, masker) as unknown as ApprovalRequest;
  const { session, subject, ceilings, timeoutMs, idleTimeoutMs, fence, place } = options;
  const details: SuspendedDetails = {
    request: maskedRequest,
    rule,
    approvedCalls: approvedCalls === undefined ? null : [...approvedCalls],
    options: {
      session,
      subject,
      ceilings,
      timeoutMs,
      idleTimeoutMs,
      fence,
      place,
    } as SuspendedDetails["options"],
  };
  engine.emit({ ...state.origin, type: "approval.asked", callId: call.id, hash: request.hash });
  const token = await journal.suspend(copyJson(details, undefined) as JsonObject);
  state.pending = { pending: true, callId: call.id, name: call.name, token, request: maskedRequest };
  engine.emit({ ...state.origin, type: "call.suspended", callId: call.id, name: call.name });
  return SUSPENDED;
}

const NO_JOURNAL = "give createEngine a journal: that of openStore, or createMemoryJournal()";
const HAS_SECRET = "run the call with an approver, or give the secret to the tool as a preset";

function cannotWait(name: string, reason: string, hint: string): ToolError {
  const message = `"${name}" needs approval and cannot wait for it outside of this process: ${reason}`;
  return new ToolError("UNAVAILABLE", message, { hint });
}
