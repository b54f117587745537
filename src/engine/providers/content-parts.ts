import type { Content } from "../../core/content.ts";

export type Attachment = Exclude<Content, { readonly type: "text" }>;

export function attachmentsOf(content: readonly Content[]): readonly Attachment[] {
  return content.filter((piece): piece is Attachment => piece.type !== "text");
}

/** Stands in the text for a piece that the provider cannot carry there, or carries elsewhere. */
export function noteOn(piece: Attachment, whereabouts: string): string {
  const name = piece.type === "file" && piece.name !== undefined ? ` ${piece.name}` : "";
  return `[${piece.type}${name}, ${piece.mimeType}: ${whereabouts}]`;
}

export function dataUrl({ mimeType, data }: Attachment): string {
  return `data:${mimeType};base64,${data}`;
}

/** A file's own name, or one made from its kind. */
export function fileName(piece: Attachment): string {
  if (piece.type === "file" && piece.name !== undefined) return piece.name;
  const [, kind = "bin"] = piece.mimeType.split("/");
  return `${piece.type}.${kind.replaceAll(/[^a-z0-9]/gi, "_")}`;
}
