import type { Content } from "../../core/content.ts";

export type Attachment = Exclude<Content, { readonly type: "text" }>;

/** Returns whether a provider accepts an attachment. */
export type Accepts = (piece: Attachment) => boolean;

const IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const SOUNDS: ReadonlySet<string> = new Set(["audio/wav", "audio/mpeg", "audio/mp3"]);

export const isImage: Accepts = ({ type, mimeType }) => type === "image" && IMAGES.has(mimeType);

export const isDocument: Accepts = (piece) =>
  isImage(piece) || (piece.type === "file" && piece.mimeType === "application/pdf");

export const isDocumentOrSound: Accepts = (piece) =>
  isDocument(piece) || (piece.type === "audio" && SOUNDS.has(piece.mimeType));

/** Returns the text of some content, with text files written out and `note(piece)` in place of other attachments. */
export function textOf(content: readonly Content[], note: (piece: Attachment) => string): string {
  return content
    .map((piece) => (piece.type === "text" ? piece.text : (textOfFile(piece) ?? note(piece))))
    .filter((text) => text !== "")
    .join("\n");
}

export function attachmentsOf(content: readonly Content[], accepts: Accepts): readonly Attachment[] {
  return content.filter((piece): piece is Attachment => piece.type !== "text" && accepts(piece));
}

/** Returns the note that replaces an attachment in the text. */
export function noteOn(piece: Attachment, status: string): string {
  return `[${labelOf(piece)}, ${piece.mimeType}: ${status}]`;
}

function textOfFile(piece: Attachment): string | undefined {
  if (piece.type !== "file" || !piece.mimeType.startsWith("text/")) return undefined;
  return `[${labelOf(piece)}]\n${Buffer.from(piece.data, "base64").toString("utf8")}`;
}

function labelOf(piece: Attachment): string {
  return piece.type === "file" && piece.name !== undefined ? `file ${piece.name}` : piece.type;
}
