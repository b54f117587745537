import type { AgentEvent } from "../../../../agent/runtime/agent-events.ts";
import type { EngineEvent } from "../../../../core/events.ts";
import type { JsonObject } from "../../../../core/json.ts";

/** The version of what `run` prints with `--output-format json` and `stream-json`. Raised when a field changes or goes. */
export const STREAM_VERSION = 1;

type EventType = (EngineEvent | AgentEvent)["type"];

/** The fields that a program may rely on, by the type of an event, besides `type`, `at` and `session`. */
export const STREAM_EVENTS: Readonly<Record<EventType, readonly string[]>> = {
  "agent.state": ["agentId", "state"],
  "turn.started": ["agentId", "turn", "traceId"],
  "model.text": ["agentId", "text"],
  "model.reasoning": ["agentId", "text"],
  "model.retried": ["agentId", "attempt", "waitMs", "message"],
  "message.added": ["agentId", "message"],
  "message.queued": ["agentId", "text"],
  "turn.ended": ["agentId", "turn", "usage"],
  "budget.warned": ["agentId", "kind", "used", "limit"],
  "budget.spent": ["agentId", "kind", "used", "limit"],
  "loop.suspected": ["agentId", "description"],
  "prompt.dropped": ["agentId", "hook", "why", "text"],
  "tools.late": ["agentId", "sources"],
  "session.compacted": ["agentId", "tokensBefore", "tokensAfter"],
  "agent.failed": ["agentId", "code", "fault"],
  "call.received": ["callId", "name"],
  "call.judged": ["callId", "name", "verdict"],
  "call.started": ["callId", "name", "attempt"],
  "call.progressed": ["callId", "progress"],
  "call.retried": ["callId", "code", "waitMs", "attempt"],
  "call.answered": ["callId", "result"],
  "call.suspended": ["callId", "name"],
  "call.returned_late": ["callId", "name"],
  "approval.asked": ["callId", "hash"],
  "approval.answered": ["callId", "approved"],
  "approval.saved": ["callId", "grantId", "scope"],
  "hook.decided": ["hook", "point", "decision"],
  "hook.failed": ["hook", "point", "message"],
  "file.changed": ["path", "change"],
  "journal.failed": ["callId", "message"],
  "tool.added": ["name", "source"],
  "tool.removed": ["name", "source"],
  "source.changed": ["source", "state", "tools", "problems"],
  "group.changed": ["active"],
};

const TEXT = { type: "string" } as const;
const NUMBER = { type: "number" } as const;
const VERSION = { const: STREAM_VERSION } as const;

const DENIED: JsonObject = {
  type: "object",
  required: ["callId", "name", "input", "reason"],
  properties: { callId: TEXT, name: TEXT, input: {}, reason: TEXT, rule: TEXT, allowWith: TEXT },
};

const SPENT: JsonObject = {
  type: "object",
  required: ["turns", "tokens", "calls", "timeMs"],
  properties: { turns: NUMBER, tokens: NUMBER, calls: NUMBER, timeMs: NUMBER, money: NUMBER },
};

const STARTED = line("run.started", ["version", "model", "mode", "workspace"], {
  version: VERSION,
  model: TEXT,
  mode: TEXT,
  workspace: TEXT,
});

const ENDED = line("outcome", ["model", "spent", "denied", "kind"], {
  version: VERSION,
  model: TEXT,
  spent: SPENT,
  denied: { type: "array", items: DENIED },
  kind: { enum: ["answered", "stopped", "failed"] },
  text: { type: "string", description: "answered: the answer" },
  data: { description: "answered: the answer as JSON, with --output-schema" },
  why: { type: "string", description: "stopped: cancelled, loop, or the limit that was reached" },
  detail: { type: "string", description: "stopped: a sentence for people" },
  fault: { type: "object", description: "failed: code, message and hint", required: ["code", "message"] },
});

/**
 * Returns the JSON Schema of a line of `stream-json`; of `json`, the only line is an `outcome`. Lines of later versions may have more types
 * and fields.
 */
export function streamSchema(): JsonObject {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Toolwright: a line of toolwright run --output-format stream-json",
    oneOf: [
      STARTED,
      ...Object.entries(STREAM_EVENTS).map(([type, fields]) =>
        line(type, fields, Object.fromEntries(fields.map((field) => [field, {}]))),
      ),
      ENDED,
    ],
  };
}

function line(type: string, required: readonly string[], fields: JsonObject): JsonObject {
  return {
    type: "object",
    required: ["type", "at", "session", ...required],
    properties: {
      type: { const: type },
      at: { type: "integer", description: "milliseconds since 1970" },
      session: TEXT,
      ...fields,
    },
  };
}
