import { isUtf8 } from "node:buffer";
import { decodeText } from "../../../system/fetch/decode-text.ts";
import type { CapturedBody, HeaderList } from "./messages.ts";

/** How much text of a body is stored. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** Longer binary bodies are not stored. */
const MAX_BINARY_BYTES = 8 * 1024;
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

/** Returns what is stored of a body. `bytes` is its size if the body itself is not there. Never rejects. */
export async function capturedBody(
  body: Buffer,
  headers: HeaderList,
  bytes = body.length,
): Promise<CapturedBody> {
  if (body.length === 0) return { bytes };
  const type = headerOf(headers, "content-type") ?? "";
  const unpacked = await unpack(body, headerOf(headers, "content-encoding"));
  if (unpacked === undefined) return { bytes };
  if (!isText(unpacked, type))
    return unpacked.length > MAX_BINARY_BYTES ? { bytes } : { bytes, base64: unpacked.toString("base64") };
  const text = decodeText(unpacked.subarray(0, MAX_TEXT_BYTES), type).toWellFormed();
  return unpacked.length > MAX_TEXT_BYTES ? { bytes, text, isCut: true } : { bytes, text };
}

/** Returns the last value of a header. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.findLast(([one]) => one.toLowerCase() === name)?.[1];
}

async function unpack(body: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
  if (encoding === undefined) return body;
  const { decompress } = await import("../../../system/fetch/decompress.ts");
  return decompress(body, encoding, MAX_UNPACKED_BYTES).catch(() => undefined);
}

function isText(bytes: Buffer, type: string): boolean {
  if (bytes.includes(0)) return false;
  return isUtf8(bytes) || /^text\/|charset=|[/+](?:json|xml|javascript)\b/i.test(type);
}
