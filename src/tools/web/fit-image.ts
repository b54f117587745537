import { ToolError } from "../../core/errors.ts";
import { runInThread } from "../shared/run-in-thread.ts";
import type { ScaleAnswer, ScaleRequest } from "./image-worker.ts";

/** Models scale larger images down themselves, and providers refuse much larger ones. */
const MAX_SIDE = 1568;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_PIXELS = 50e6;

/** Returns an image that models accept: scaled down if its file is large or its sides are long. Throws `INVALID_INPUT` if it cannot be. */
export async function fitImage(bytes: Buffer, mimeType: string, signal: AbortSignal): Promise<Buffer> {
  if (bytes.length <= MAX_BYTES && longestSide(bytes, mimeType) <= MAX_SIDE) return bytes;
  if (mimeType !== "image/png" && mimeType !== "image/jpeg") {
    if (bytes.length <= MAX_BYTES) return bytes;
    throw tooLarge(`a ${mimeType} over ${MAX_BYTES / 1024 / 1024} MB cannot be scaled down`);
  }
  const copy = Uint8Array.from(bytes);
  const request: ScaleRequest = { bytes: copy, mimeType, maxSide: MAX_SIDE, maxPixels: MAX_PIXELS };
  const thread = { worker: "image-worker", reads: "the image", signal, transfer: [copy.buffer] };
  const answer = await runInThread<ScaleAnswer>(request, thread);
  if ("problem" in answer) throw tooLarge(`the image cannot be scaled down: ${answer.problem}`);
  return Buffer.from(answer.bytes);
}

function tooLarge(message: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint: "make it smaller first" });
}

/** Returns 0 if it is not known. */
function longestSide(bytes: Buffer, mimeType: string): number {
  if (mimeType === "image/png" && bytes.length >= 24)
    return Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  return mimeType === "image/jpeg" ? longestJpegSide(bytes) : 0;
}

/** Walks over the segments of a JPEG to the one that has its size. */
function longestJpegSide(bytes: Buffer): number {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return Math.max(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return 0;
}
