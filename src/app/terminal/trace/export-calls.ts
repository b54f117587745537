import type { CallRecord } from "../../../core/store/journal.ts";
import { visibleJson, escapeHtml } from "../../../util/text/visible.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { durationText, outcomeOf, summarizeInput } from "./call-lines.ts";
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
  if (format === "html") return { text: toPage(calls), type: "text/html; charset=utf-8" };
  return { text: calls.map(toJsonLine).join(""), type: "application/jsonl; charset=utf-8" };
}

/** Returns everything that is recorded about a call as a line of JSON. */
export function toJsonLine({ position: _position, ...call }: CallRecord): string {
  return `${visibleJson(JSON.stringify(call))}\n`;
}

/** Returns a page of the calls that needs no other file and runs no script. */
function toPage(calls: readonly CallRecord[]): string {
  const rows = calls.map(toRow).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Toolwright trace: ${calls.length} calls</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Toolwright trace</h1>
<p>${calls.length} calls, oldest first. Open a line to see the input, the decision and the answer.</p>
<main>
${rows}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; }
summary { cursor: pointer; display: grid; grid-template-columns: 12rem 10rem 1fr auto; gap: 1rem; padding: 0.3rem 0; }
summary span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.failed { color: #c62828; }
@media (prefers-color-scheme: dark) { .failed { color: #ef9a9a; } }
pre { overflow: auto; padding: 0.6rem; border: 1px solid #8886; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) { summary { grid-template-columns: 1fr; gap: 0; } }
`;

function toRow(call: CallRecord): string {
  const { callId, name, session, receivedAt, input, answer, trace, state } = call;
  const { verdict, approval } = trace ?? {};
  const facts = [
    ["call", callId],
    ["session", session ?? "none"],
    ["state", state],
    ["place", answer?.meta.place ?? "none"],
    [
      "decision",
      verdict === undefined ? "not recorded" : `${verdict.kind}: ${verdict.reason} (${verdict.rule})`,
    ],
    ["approval", approval === undefined ? "none" : approval.approved ? "approved" : "denied"],
  ].map(([label, value]) => `<li>${label}: ${escapeHtml(String(value))}</li>`);
  const time = new Date(receivedAt).toISOString();
  const outcome = `${outcomeOf(call)} ${durationText(answer?.meta.durationMs)}`;
  const isFailed = answer?.ok === false;
  return `<details><summary><span>${time}</span><span>${escapeHtml(name)}</span><span>${escapeHtml(summarizeInput(input))}</span><span${isFailed ? ' class="failed"' : ""}>${escapeHtml(outcome)}</span></summary>
<ul>${facts.join("")}</ul>
<h2>Input</h2><pre>${escapeHtml(JSON.stringify(input, undefined, 2))}</pre>
<h2>Answer</h2><pre>${escapeHtml(contentText(answer?.content ?? []))}</pre></details>`;
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
