import type { Content } from "../../../core/content.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Attachment, ChatMessage } from "../api/chat-shapes.ts";

/** Returns what a message gives to the model: its text, and what is attached. Throws for an empty message and for data that is not base64. */
export function contentOf({ text, attachments = [] }: ChatMessage): readonly Content[] {
  const hasText = text.trim() !== "";
  if (!hasText && attachments.length === 0)
    throw new ToolError("INVALID_INPUT", "text: expected a message, or something attached");
  return [
    ...(hasText ? [{ type: "text" as const, text }] : []),
    ...attachments.map((attachment, index) => toContent(attachment, index)),
  ];
}

/** The images that every provider takes. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;
const TEXT = /^(?:text\/|application\/(?:json|xml|javascript|x-sh|toml|yaml))/;

function toContent({ mimeType, data, name }: Attachment, index: number): Content {
  const isBase64 = data.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(data);
  if (!isBase64)
    throw new ToolError("INVALID_INPUT", `attachments/${index}/data: expected base64`, {
      hint: "encode the bytes of the file",
    });
  if (IMAGE.test(mimeType)) return { type: "image", data, mimeType };
  if (TEXT.test(mimeType)) {
    const text = Buffer.from(data, "base64").toString("utf8");
    return { type: "text", text: `File ${name ?? "without a name"}\n${text}` };
  }
  return { type: "file", data, mimeType, ...(name !== undefined && { name }) };
}
