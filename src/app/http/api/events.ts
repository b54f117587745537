import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { Outcome } from "../../../agent/runtime/outcome.ts";
import type { EngineEvent } from "../../../core/events.ts";
import { typed } from "./typed.ts";
import type { PendingApproval } from "./approval-shapes.ts";
import type { CallRow } from "./call-shapes.ts";
import { string } from "../../../schema/define/schema.ts";

/** Events of the server itself. */
export type ServerEvent =
  /** The first event of a stream, and after a gap: events before it are lost, so reload what is shown. */
  | { readonly type: "stream.opened"; readonly at: number; readonly isComplete: boolean }
  /** A call of another process, of the same store, began or ended. */
  | { readonly type: "call.changed"; readonly at: number; readonly call: CallRow }
  /** A call, of any process, waits for approval. */
  | { readonly type: "approval.pending"; readonly at: number; readonly approval: PendingApproval }
  /** It was answered here or elsewhere, or its caller gave up. */
  | { readonly type: "approval.closed"; readonly at: number; readonly id: string }
  /** Workers of the fleet came, went or changed. */
  | { readonly type: "fleet.changed"; readonly at: number }
  | { readonly type: "mode.changed"; readonly at: number; readonly mode: string }
  /** The agent of a chat ended its task. */
  | { readonly type: "chat.ended"; readonly at: number; readonly session: string; readonly outcome: Outcome }
  | { readonly type: "chat.closed"; readonly at: number; readonly session: string };

/** One event of GET /api/events: of the engine (`call.*`, `approval.*`, `source.changed` …), of agents (`model.text` …) or of the server. */
export type ApiEvent = EngineEvent | (AgentEvent & { readonly at: number }) | ServerEvent;

export const EventShape = typed<ApiEvent>(
  "the data of an event of the stream: call.received, call.judged, call.started, call.progressed, call.retried, call.answered, " +
    "approval.asked, approval.answered, source.changed, model.text, model.reasoning, message.added, turn.started, turn.ended, agent.state, " +
    "stream.opened, call.changed, approval.pending, approval.closed, fleet.changed, mode.changed, chat.ended, chat.closed …",
  { type: string() },
);
