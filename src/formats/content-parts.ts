import type { Content } from "../core/content.ts";

export type Attachment = Exclude<Content, { readonly type: "text" }>;

export function attachmentsOf(content: readonly Content[]): readonly Attachment[] {
  return content.filter((piece): piece is Attachment => piece.type !== "text");
}

/** Returns the text that stands for an attachment which the provider cannot carry, or carries elsewhere. */
export function noteOn(piece: Attachment, location: string): string {
  const name = piece.type === "file" && piece.name !== undefined ? ` ${piece.name}` : "";
  return `[${piece.type}${name}, ${piece.mimeType}: ${location}]`;
}

export function dataUrl({ mimeType, data }: Attachment): string {
  return `data:${mimeType};base64,${data}`;
}

/** Returns the name of a file, or one made from its type. */
export function fileName(piece: Attachment): string {
  if (piece.type === "file" && piece.name !== undefined) return piece.name;
  const [, kind = "bin"] = piece.mimeType.split("/");
  return `${piece.type}.${kind.replaceAll(/[^a-z0-9]/gi, "_")}`;
}
