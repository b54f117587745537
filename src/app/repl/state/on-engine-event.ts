import type { EngineEvent } from "../../../core/events.ts";
import { ranMs } from "../../terminal/print/ran-ms.ts";
import { defined } from "../../../util/json/defined.ts";
import {
  settleText,
  withCall,
  withNotice,
  type CallBlock,
  type LiveCall,
  type ReplState,
} from "./repl-state.ts";
import { summaryOf } from "./summary.ts";
import { addOutput, EMPTY_OUTPUT } from "./output-tail.ts";

/** What an event is interpreted with. */
export interface EventContext {
  /** The current session; calls of other sessions are its children's. */
  readonly session: string;
  /** Returns the name of the agent of another session. */
  readonly nameOf?: (session: string) => string | undefined;
  /** Returns the change of a call that was answered just now, as a diff. */
  readonly changeOf?: (callId: string) => string | undefined;
  /** Returns whether a tool only reads. */
  readonly isReading?: (tool: string) => boolean;
  /** As `performance.now()` returns it. */
  readonly now: number;
}

/** Returns the state after an event of the engine. */
export function onEngineEvent(state: ReplState, event: EngineEvent, context: EventContext): ReplState {
  switch (event.type) {
    case "call.received":
      return received(state, event, context);
    case "approval.asked":
      return changeCall(state, event, () => ({ phase: "asking" }));
    case "call.started":
      return changeCall(state, event, () => ({ phase: "running", startedAt: context.now }));
    case "call.progressed":
      return changeCall(state, event, ({ output }) => ({ output: addOutput(output, event.progress) }));
    case "call.retried":
      return changeCall(state, event, () => ({
        note: `${event.code}, retrying in ${(event.waitMs / 1000).toFixed(1)} s`,
      }));
    case "call.answered":
      return answered(state, event, context);
    case "hook.failed":
      return withNotice(state, "warning", `hook ${event.hook} failed: ${event.message}`);
    case "journal.failed":
      return withNotice(state, "warning", `a call ran, but its answer could not be stored: ${event.message}`);
    default:
      return state;
  }
}

type Of<Type extends EngineEvent["type"]> = Extract<EngineEvent, { readonly type: Type }>;

function received(state: ReplState, event: Of<"call.received">, context: EventContext): ReplState {
  const { session, now, nameOf } = context;
  const isOfChild = event.session !== undefined && event.session !== session;
  const call: LiveCall = {
    id: event.callId,
    session: event.session,
    name: event.name,
    summary: summaryOf(event.input),
    isOfChild,
    ...(isOfChild && { agent: nameOf?.(event.session) }),
    phase: "waiting",
    startedAt: now,
    output: EMPTY_OUTPUT,
  };
  // The model's text before the call stands above it.
  const settled = call.isOfChild ? state : settleText(state);
  return { ...settled, calls: [...settled.calls, call] };
}

function answered(
  state: ReplState,
  event: Of<"call.answered">,
  { changeOf, isReading }: EventContext,
): ReplState {
  const { callId, result } = event;
  const call = state.calls.find((one) => isOf(one, event));
  const calls = state.calls.filter((one) => one !== call);
  const { summary = "", isOfChild = false, agent } = call ?? {};
  const isExpanded = state.isExpanded || state.typedCalls.includes(callId);
  const typedCalls = state.typedCalls.filter((id) => id !== callId);
  const durationMs = call?.phase === "running" ? ranMs(result.meta) : undefined;
  const block: CallBlock = {
    kind: "call",
    summary,
    result,
    durationMs,
    isOfChild,
    ...defined({ agent, change: changeOf?.(callId) }),
    isExpanded,
  };
  return withCall({ ...state, calls, typedCalls }, block, isReading?.(result.name) === true);
}

function changeCall(
  state: ReplState,
  event: CallOrigin,
  work: (call: LiveCall) => Partial<LiveCall>,
): ReplState {
  const calls = state.calls.map((call) => (isOf(call, event) ? { ...call, ...work(call) } : call));
  return { ...state, calls };
}

type CallOrigin = Pick<Of<"call.answered">, "callId" | "session">;

/** Agents that work at the same time may use the same ids. */
function isOf({ id, session }: LiveCall, event: CallOrigin): boolean {
  return id === event.callId && session === event.session;
}
