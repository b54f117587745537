import type { ToolResult } from "../core/result.ts";
import type { ToolSpec } from "../core/spec.ts";
import { textOf } from "../util/text/text-of.ts";
import { isMadeId } from "./calls-from.ts";
import { attachmentsOf, noteOn } from "./content-parts.ts";
import { withSafeParameters } from "./parameter-names.ts";
import { toSubset } from "./schema/schema-subset.ts";
import type { GooglePart, ProviderMessages, ProviderTools } from "./provider-shapes.ts";

/** Returns a function declaration. The API refuses an empty object of parameters, so a tool without parameters has none. */
export function toGoogleTool(spec: ToolSpec, name: string): ProviderTools["google"] {
  const schema = toSubset(spec.input, "google");
  // The description is required.
  const description = spec.description === "" ? name : spec.description;
  return {
    name,
    description,
    ...(schema !== undefined && { parameters: withSafeParameters(schema, "google") }),
  };
}

/**
 * Returns one user message with all responses, in call order. Images, audio and files follow as separate parts, which every
 * version accepts; only the newest models accept parts inside a response.
 */
export function toGoogleMessages(
  results: readonly ToolResult[],
  shownName: (name: string) => string,
): ProviderMessages["google"][] {
  if (results.length === 0) return [];
  const responses = results.map((result): GooglePart => {
    // Gemini matches a response to a call without an id by its name and place.
    const id = isMadeId(result.callId) ? undefined : result.callId;
    const named = { name: shownName(result.name), response: response(result) };
    return { functionResponse: id === undefined ? named : { id, ...named } };
  });
  const attached = results.flatMap((result) =>
    attachmentsOf(result.content).map(({ mimeType, data }) => ({ inlineData: { mimeType, data } })),
  );
  return [{ role: "user", parts: [...responses, ...attached] }];
}

function response(result: ToolResult): { output: string } | { error: string } {
  const notes = attachmentsOf(result.content).map((piece) => noteOn(piece, "attached below, in order"));
  const text = [textOf(result.content), ...notes].filter((each) => each !== "").join("\n");
  return result.ok ? { output: text } : { error: text };
}
