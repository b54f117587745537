import type { Content } from "../../core/content.ts";

export type Attachment = Exclude<Content, { readonly type: "text" }>;

/** Which pieces a provider can be shown, by kind of content. */
export type Shows = (piece: Attachment) => boolean;

const IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const SOUNDS: ReadonlySet<string> = new Set(["audio/wav", "audio/mpeg", "audio/mp3"]);

export const isImage: Shows = ({ type, mimeType }) => type === "image" && IMAGES.has(mimeType);

export const isDocument: Shows = (piece) =>
  isImage(piece) || (piece.type === "file" && piece.mimeType === "application/pdf");

export const isDocumentOrSound: Shows = (piece) =>
  isDocument(piece) || (piece.type === "audio" && SOUNDS.has(piece.mimeType));

/** The text of some content, with files of text in full, and in place of each other piece what `note` says of it. */
export function textOf(content: readonly Content[], note: (piece: Attachment) => string): string {
  return content
    .map((piece) => (piece.type === "text" ? piece.text : (writtenOut(piece) ?? note(piece))))
    .filter((text) => text !== "")
    .join("\n");
}

export function attachmentsOf(content: readonly Content[], shows: Shows): readonly Attachment[] {
  return content.filter((piece): piece is Attachment => piece.type !== "text" && shows(piece));
}

/** What stands in the text for a piece that is elsewhere, or nowhere. */
export function noteOn(piece: Attachment, whereabouts: string): string {
  return `[${labelOf(piece)}, ${piece.mimeType}: ${whereabouts}]`;
}

function writtenOut(piece: Attachment): string | undefined {
  if (piece.type !== "file" || !piece.mimeType.startsWith("text/")) return undefined;
  return `[${labelOf(piece)}]\n${Buffer.from(piece.data, "base64").toString("utf8")}`;
}

function labelOf(piece: Attachment): string {
  return piece.type === "file" && piece.name !== undefined ? `file ${piece.name}` : piece.type;
}
