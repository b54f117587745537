import type { ToolResult } from "../core/result.ts";
import type { ToolSpec } from "../core/spec.ts";
import { textOf } from "../util/text/text-of.ts";
import { attachmentsOf, dataUrl, fileName, noteOn, type Attachment } from "./content-parts.ts";
import { toSubset } from "./schema/schema-subset.ts";
import { withSentences } from "./schema/sentences.ts";
import type { OpenAiPart, ProviderMessages, ProviderTools } from "./provider-shapes.ts";

/** Undocumented; the chat models answer 400 above it. */
const LONGEST_DESCRIPTION = 1024;
const AUDIO: ReadonlyMap<string, "wav" | "mp3"> = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/mp3", "mp3"],
]);

/** Returns a tool for chat completions. Sets `strict` only if requested; it is false for a schema without a strict form. */
export function toOpenAiTool(spec: ToolSpec, name: string, strict?: boolean): ProviderTools["openai"] {
  const { strict: isStrict, ...rest } = openAiFunction(spec, name, strict === true);
  return { type: "function", function: strict === undefined ? rest : { ...rest, strict: isStrict } };
}

/** Returns the function of both OpenAI formats. A long description continues in that of the parameters. */
export function openAiFunction(spec: ToolSpec, name: string, strict: boolean) {
  const strictSchema = strict ? toSubset(spec.input, "strict") : undefined;
  const parameters = strictSchema ?? toSubset(spec.input, "full") ?? {};
  const [description, rest] = cutAtWord(spec.description);
  const own = parameters["description"];
  const continued = rest === "" ? {} : withSentences(rest, typeof own === "string" ? [own] : []);
  return {
    name,
    ...(description !== "" && { description }),
    parameters: { ...parameters, ...continued },
    strict: strictSchema !== undefined,
  };
}

/**
 * Returns one tool message for each call, in call order. A tool message carries text only: images, PDF files and audio follow
 * in one user message, which the text mentions.
 */
export function toOpenAiMessages(results: readonly ToolResult[]): ProviderMessages["openai"][] {
  const answers = results.map((result): ProviderMessages["openai"] => {
    return { role: "tool", tool_call_id: result.callId, content: withNotes(result) };
  });
  const parts = results.flatMap((result): readonly OpenAiPart[] => {
    const carried = attachmentsOf(result.content).flatMap(userPart);
    return carried.length === 0
      ? []
      : [{ type: "text", text: `From ${result.name} (${result.callId}):` }, ...carried];
  });
  return parts.length === 0 ? answers : [...answers, { role: "user", content: parts }];
}

function withNotes(result: ToolResult): string {
  const notes = attachmentsOf(result.content).map((piece) =>
    noteOn(piece, userPart(piece).length > 0 ? "attached in the next user message" : "cannot be shown here"),
  );
  return [textOf(result.content), ...notes].filter((text) => text !== "").join("\n");
}

function userPart(piece: Attachment): readonly OpenAiPart[] {
  if (piece.type === "image") return [{ type: "image_url", image_url: { url: dataUrl(piece) } }];
  const format = AUDIO.get(piece.mimeType);
  if (piece.type === "audio" && format !== undefined)
    return [{ type: "input_audio", input_audio: { data: piece.data, format } }];
  if (piece.mimeType !== "application/pdf") return [];
  return [{ type: "file", file: { filename: fileName(piece), file_data: dataUrl(piece) } }];
}

function cutAtWord(description: string): readonly [string, string] {
  if (description.length <= LONGEST_DESCRIPTION) return [description, ""];
  const head = description.slice(0, LONGEST_DESCRIPTION - 1);
  const space = head.search(/\s\S*$/);
  // Text without spaces is cut between characters, never inside a surrogate pair.
  const end = space > LONGEST_DESCRIPTION / 2 ? space : head.length - (isHalf(head) ? 1 : 0);
  return [`${description.slice(0, end).trimEnd()}…`, `…${description.slice(end).trimStart()}`];
}

function isHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd8_00 && last <= 0xdb_ff;
}
