import type { CallRecord } from "../../../core/store/journal.ts";
import { visibleJson } from "../../../util/text/visible.ts";
import { toOtlp } from "./to-otlp.ts";
import { toPage } from "./to-page.ts";

export const TRACE_FORMATS = ["jsonl", "otlp", "html"] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];

/** Returns recorded calls as a file: JSON lines, an OTLP request as JSON, or a page that needs no other file. Oldest first. */
export function exportCalls(
  newestFirst: readonly CallRecord[],
  format: TraceFormat,
): { readonly text: string; readonly type: string } {
  const calls = newestFirst.toReversed();
  if (format === "otlp") return { text: `${JSON.stringify(toOtlp(calls))}\n`, type: "application/json" };
  if (format === "html") return { text: toPage(calls), type: "text/html; charset=utf-8" };
  return { text: calls.map(toJsonLine).join(""), type: "application/jsonl; charset=utf-8" };
}

/** Returns everything that is recorded about a call as a line of JSON. */
export function toJsonLine({ position: _position, ...call }: CallRecord): string {
  return `${visibleJson(JSON.stringify(call))}\n`;
}
