import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { textOf } from "../../util/text/text-of.ts";
import { attachmentsOf, noteOn } from "./content-parts.ts";
import { withSafeParameters } from "./parameter-names.ts";
import { toSubset } from "./schema/schema-subset.ts";

/** Returns a function declaration. The API refuses an empty object of parameters, so a tool without parameters has none. */
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
 * Returns one user message with all responses, in call order. Images, audio and files follow as separate parts, which every
 * version accepts; only the newest models accept parts inside a response.
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
