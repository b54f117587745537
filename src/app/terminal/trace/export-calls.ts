import type { CallRecord } from "../../../core/store/journal.ts";
import { visibleJson } from "../../../util/text/visible.ts";
import { tracePage } from "./trace-page.ts";
import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../core/json.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { shortened } from "../../../util/text/shortened.ts";

export const TRACE_FORMATS = ["jsonl", "otlp", "html"] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];

/** Returns recorded calls as a file: JSON lines, an OTLP request as JSON, or a page that needs no other file. Oldest first. */
export function exportCalls(newestFirst: readonly CallRecord[], format: TraceFormat) {
  const calls = newestFirst.toReversed();
  if (format === "otlp") return { text: `${JSON.stringify(toOtlp(calls))}\n`, type: "application/json" };
  if (format === "html") return { text: tracePage(calls), type: "text/html; charset=utf-8" };
  return { text: calls.map(toJsonLine).join(""), type: "application/jsonl; charset=utf-8" };
}

/** Returns everything that is recorded about a call as a line of JSON. */
export function toJsonLine({ position: _position, ...call }: CallRecord): string {
  return `${visibleJson(JSON.stringify(call))}\n`;
}

/** As long as the attributes of live spans. */
const LONGEST = 1000;

/** Returns an ExportTraceServiceRequest in the JSON form of OTLP: one span for each answered call, one trace for each session. */
function toOtlp(calls: readonly CallRecord[]): JsonObject {
  const spans = calls.filter(({ answer }) => answer !== null).map(toSpan);
  const version = packageVersion();
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ "service.name": "toolwright", "service.version": version }) },
        scopeSpans: [{ scope: { name: "toolwright", version }, spans }],
      },
    ],
  };
}

function toSpan(call: CallRecord): JsonObject {
  const { callId, name, session, receivedAt, answer } = call;
  const fault = answer === null || answer.ok ? undefined : answer.error;
  const parent = /^(.+)\.\d+$/.exec(callId)?.[1];
  const root = callId.split(".", 1)[0] ?? callId;
  return {
    traceId: idOf(session ?? root, 32),
    spanId: idOf(callId, 16),
    ...(parent !== undefined && { parentSpanId: idOf(parent, 16) }),
    name: `execute_tool ${name}`,
    kind: 1,
    startTimeUnixNano: nanosecondsOf(receivedAt),
    endTimeUnixNano: nanosecondsOf(receivedAt + (answer?.meta.durationMs ?? 0)),
    attributes: attributesOf({ ...callAttributes(call), ...originAttributes(call) }),
    status: fault === undefined ? { code: 1 } : { code: 2, message: fault.message },
  };
}

type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** Returns what was called, and how it ended. */
function callAttributes({ callId, name, session, input, answer, trace }: CallRecord): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": callId,
    "gen_ai.conversation.id": session,
    "toolwright.input": shortened(JSON.stringify(input), LONGEST),
    "toolwright.rule": trace?.verdict?.rule,
    "error.type": answer?.ok === false ? answer.error.code : undefined,
  };
}

/** Returns who made the call, and where it ran. */
function originAttributes({ answer, trace, subject, machine, usage }: CallRecord): Attributes {
  return {
    "toolwright.place": answer?.meta.place,
    "toolwright.worker": trace?.ranOn?.worker,
    "host.name": trace?.ranOn?.machine ?? machine,
    "enduser.id": subject,
    "gen_ai.request.model": usage?.model,
    "toolwright.attempts": answer?.meta.attempts,
  };
}

/** Returns hexadecimal digits that depend on the text alone. */
function idOf(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

function nanosecondsOf(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function attributesOf(values: Attributes): readonly Json[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    return [{ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } }];
  });
}
