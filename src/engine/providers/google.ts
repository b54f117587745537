import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { textOf } from "../../util/text/text-of.ts";
import { attachmentsOf, noteOn } from "./content-parts.ts";
import { withSafeParameters } from "./parameter-names.ts";
import { toSubset } from "./schema/schema-subset.ts";

/** A function declaration; one without parameters has none, since an empty object is refused. */
export function toGoogleTool(spec: ToolSpec, name: string): JsonObject {
  const shown = toSubset(spec.input, "google");
  // The description is required.
  const description = spec.description === "" ? name : spec.description;
  return {
    name,
    description,
    ...(shown !== undefined && { parameters: withSafeParameters(shown, "google") }),
  };
}

/**
 * One user message with all responses, in call order. Images, sounds and files follow as parts of their own, which every
 * version takes; parts inside a response are for the newest models only.
 */
export function toGoogleMessages(
  results: readonly ToolResult[],
  shownName: (name: string) => string,
): readonly JsonObject[] {
  if (results.length === 0) return [];
  const responses = results.map((result) => ({
    functionResponse: { id: result.callId, name: shownName(result.name), response: response(result) },
  }));
  const attached = results.flatMap((result) =>
    attachmentsOf(result.content).map(({ mimeType, data }) => ({ inlineData: { mimeType, data } })),
  );
  return [{ role: "user", parts: [...responses, ...attached] }];
}

function response(result: ToolResult): JsonObject {
  const notes = attachmentsOf(result.content).map((piece) => noteOn(piece, "attached below, in order"));
  const text = [textOf(result.content), ...notes].filter((each) => each !== "").join("\n");
  return result.ok ? { output: text } : { error: text };
}
