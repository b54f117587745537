import type { Content } from "../../core/content.ts";
import { fileName, noteOn, type Attachment } from "../../formats/content-parts.ts";
import { textOf } from "../../util/text/text-of.ts";
import type { EngineAnswer } from "./engine-tools.ts";

/** A part of a tool's output for a model. Every version of the AI SDK from 6 on, and Mastra, accepts these. */
export type ModelOutputPart =
  | { type: "text"; text: string }
  | { type: "image-data"; data: string; mediaType: string }
  | { type: "file-data"; data: string; mediaType: string; filename: string };

/** A tool's output for a model, as the AI SDK and Mastra define it. */
export type ModelOutput =
  | { type: "text" | "error-text"; value: string }
  | { type: "content"; value: ModelOutputPart[] };

/** Returns an answer for a model: text, marked as an error if it is one, or parts if it has images or files. */
export function toModelOutput({ ok, content }: EngineAnswer): ModelOutput {
  if (!ok) return { type: "error-text", value: textOf(content) };
  if (content.every(({ type }) => type === "text")) return { type: "text", value: textOf(content) };
  return { type: "content", value: content.map(toPart) };
}

function toPart(piece: Content): ModelOutputPart {
  if (piece.type === "text") return { type: "text", text: piece.text };
  const { data, mimeType: mediaType } = piece;
  if (piece.type === "image") return { type: "image-data", data, mediaType };
  if (!isShown(piece)) return { type: "text", text: noteOn(piece, "cannot be shown here") };
  return { type: "file-data", data, mediaType, filename: fileName(piece) };
}

/** Models take images, audio and PDF files. */
export function isShown(piece: Attachment): boolean {
  return piece.type !== "file" || piece.mimeType === "application/pdf";
}
