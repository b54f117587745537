import type { ToolResult } from "../core/result.ts";
import { defined } from "../util/json/defined.ts";
import { contentText } from "../util/text/content-text.ts";

/** The forms of answers: `result` is a `ToolResult`, `tool-result` a `FlatResult`. */
export const ANSWER_FORMS = ["result", "tool-result"] as const;
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** The media type of answers as `FlatResult`: a client that accepts it gets them. */
export const FLAT_RESULT = "application/vnd.toolwright.tool-result+json";

/** An answer in the form of tool servers such as that of Strix. */
export interface FlatResult {
  readonly tool_name: string;
  readonly success: boolean;
  /** Empty if the call failed. */
  readonly output: string;
  readonly error: string | null;
  readonly metadata: { readonly [key: string]: unknown };
}

/** Returns an answer in that form. Attachments, data and the code of an error are in its metadata. */
export function toFlatResult(result: ToolResult): FlatResult {
  const { callId, name, ok, content, meta } = result;
  const attachments = content.filter(({ type }) => type !== "text");
  const metadata = {
    call_id: callId,
    place: meta.place,
    duration_ms: meta.durationMs,
    ...defined({
      data: ok ? result.data : undefined,
      attachments: attachments.length === 0 ? undefined : attachments,
      truncated: meta.truncated,
    }),
  };
  if (ok) return { tool_name: name, success: true, output: contentText(content), error: null, metadata };
  const { code, message, hint, details } = result.error;
  return {
    tool_name: name,
    success: false,
    output: "",
    error: hint === undefined ? message : `${message} (${hint})`,
    metadata: { ...metadata, code, ...defined({ details }) },
  };
}
