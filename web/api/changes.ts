import type { ApiEvent } from "../../src/app/http/api.ts";
import { keyOf, type AddressOf, type ReadName } from "./operations.ts";

/** Answers of the API that an event makes old: all of an operation, or the one at an address. */
export type Changed = { [N in ReadName]: readonly [name: N, address?: AddressOf<N>] }[ReadName];

/** Every event of the stream, and the operations whose answers it changes besides that of its own call. */
const CHANGES: Readonly<Record<ApiEvent["type"], readonly ReadName[]>> = {
  "call.received": ["calls", "state", "counts", "waterfall"],
  "call.judged": [],
  "call.started": ["calls"],
  "call.progressed": [],
  "call.retried": [],
  "call.answered": ["calls", "state", "counts", "waterfall"],
  "call.suspended": ["calls", "state"],
  "call.returned_late": [],
  "call.changed": ["calls", "state", "counts", "waterfall"],
  "approval.asked": [],
  "approval.answered": [],
  "approval.saved": ["grants", "policy"],
  "approval.pending": ["approvals", "state", "call"],
  "approval.closed": ["approvals", "state", "call"],
  "hook.decided": [],
  "hook.failed": [],
  "file.changed": [],
  "journal.failed": [],
  "tool.added": ["tools", "tool"],
  "tool.removed": ["tools", "tool"],
  "source.changed": ["sources", "tools", "state"],
  "group.changed": ["tools"],
  "fleet.changed": ["fleet"],
  "mode.changed": ["state", "policy"],
  "agent.state": ["agents", "sessions", "session", "chats", "waterfall"],
  "agent.failed": ["agents", "sessions", "session", "waterfall"],
  "turn.started": [],
  "turn.ended": ["chats", "chatContext", "session", "waterfall"],
  "model.text": [],
  "model.reasoning": [],
  "model.retried": [],
  "message.added": [],
  "message.queued": [],
  "budget.warned": [],
  "budget.spent": [],
  "loop.suspected": [],
  "prompt.dropped": [],
  "tools.late": [],
  "session.compacted": ["chatContext", "session", "waterfall"],
  "chat.ended": ["chats", "chatContext", "sessions", "session", "waterfall"],
  "chat.closed": ["chats"],
  "stream.opened": [],
};

/** The names of all events. */
export const EVENT_TYPES = Object.keys(CHANGES);

/** Returns the answers that an event makes old. */
export function changedBy(event: ApiEvent): readonly Changed[] {
  const callId =
    event.type === "call.changed" ? event.call.callId : "callId" in event ? event.callId : undefined;
  const own = callId === undefined ? [] : [keyOf("call", { callId })];
  return [...(CHANGES[event.type] ?? []).map((name) => [name] as const), ...own];
}
