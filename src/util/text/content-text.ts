import type { Content } from "../../core/content.ts";

/** Returns content as a text to read: attachments are replaced by a label such as `[image, image/png, 1.2 KB]`. */
export function contentText(content: readonly Content[], separator = "\n"): string {
  return content.map((piece) => (piece.type === "text" ? piece.text : labelOf(piece))).join(separator);
}

function labelOf({ type, mimeType, data }: Exclude<Content, { readonly type: "text" }>): string {
  const bytes = Math.floor((data.replace(/=+$/, "").length * 3) / 4);
  return `[${type}, ${mimeType}, ${bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`}]`;
}
