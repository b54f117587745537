import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { CallRecord } from "../../../core/store/journal.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { shortened } from "../../../util/text/shortened.ts";

/** As long as the attributes of live spans. */
const LONGEST = 1000;

/** Returns an ExportTraceServiceRequest in the JSON form of OTLP: one span for each answered call, one trace for each session. */
export function toOtlp(calls: readonly CallRecord[]): JsonObject {
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

function toSpan({ callId, name, session, receivedAt, input, answer, trace }: CallRecord): JsonObject {
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
    attributes: attributesOf({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": callId,
      "gen_ai.conversation.id": session,
      "toolwright.input": shortened(JSON.stringify(input), LONGEST),
      "toolwright.place": answer?.meta.place,
      "toolwright.attempts": answer?.meta.attempts,
      "toolwright.rule": trace?.verdict?.rule,
      "error.type": fault?.code,
    }),
    status: fault === undefined ? { code: 1 } : { code: 2, message: fault.message },
  };
}

/** Returns hexadecimal digits that depend on the text alone. */
function idOf(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

function nanosecondsOf(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function attributesOf(values: Readonly<Record<string, string | number | null | undefined>>): readonly Json[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    return [{ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } }];
  });
}
