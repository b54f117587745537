import { Reply, type Content } from "../../core/content.ts";

/** The first bytes of the formats that models can be shown, as Latin-1. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8/, "image/gif"],
  [/^RIFF[^]{4}WEBP/, "image/webp"],
  [/^%PDF-/, "application/pdf"],
];

/** Returns bytes as content: an image or a PDF by its first bytes, else text if they are UTF-8, else a file. */
export function fromBytes(bytes: Uint8Array): Reply {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = buffer.toString("latin1", 0, 16);
  const mimeType = SIGNATURES.find(([pattern]) => pattern.test(head))?.[1];
  if (mimeType === undefined && isText(buffer)) return new Reply(buffer.toString("utf8"));
  const type = mimeType?.startsWith("image/") === true ? "image" : "file";
  const data = buffer.toString("base64");
  const piece: Content = { type, data, mimeType: mimeType ?? "application/octet-stream" };
  return new Reply([piece]);
}

function isText(buffer: Buffer): boolean {
  if (buffer.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(buffer);
    return true;
  } catch {
    return false;
  }
}
