import { open } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { isArtifactId, plainName, storedName } from "./artifact-names.ts";
import { storedBytes, type ReadableText, type ReadBytes, type StoredText } from "./stored-text.ts";

/** A finished artifact, open for reading. `await using` closes it. */
export interface ArtifactFile extends ReadableText, AsyncDisposable {
  readonly createdAt: number;
}

/** Opens a finished artifact; returns undefined if there is no file for the id. Throws if the file is not as it was written. */
export async function openArtifact(folder: string, id: string): Promise<ArtifactFile | undefined> {
  if (!isArtifactId(id)) return undefined;
  const stored = await ignoreMissing(open(join(folder, storedName(id)), "r"));
  const handle = stored ?? (await ignoreMissing(open(join(folder, plainName(id)), "r")));
  if (handle === undefined) return undefined;
  const read: ReadBytes = async (position, length) => {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const { size, mtimeMs } = await handle.stat();
    const text = stored === undefined ? plainText(size) : await readTrailer(read, size);
    if (text === undefined) throw damaged(id, join(folder, storedName(id)));
    return { text, read, createdAt: Math.floor(mtimeMs), [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The artifacts of earlier versions: the file is the text. */
function plainText(size: number): StoredText {
  const capacity = { headBytes: size, tailBytes: 1 };
  return { size, gapStart: size, gapEnd: size, breaksAfterHead: 0, capacity };
}

function damaged(id: string, path: string): ToolError {
  return new ToolError("UNAVAILABLE", `the artifact ${id} is damaged: ${path} is not as it was written`, {
    hint: "the rest of the answer is lost; run the call again if it is safe",
  });
}

/** Encodes the description of a text, stored after head and ring at the end of the file. */
export function toTrailer({ size, gapStart, gapEnd, breaksAfterHead, capacity }: StoredText): Buffer {
  const values = [size, gapStart, gapEnd, breaksAfterHead, capacity.headBytes, capacity.tailBytes];
  const trailer = Buffer.alloc(TRAILER_BYTES);
  for (const [index, value] of values.entries()) trailer.writeDoubleLE(value, index * 8);
  return trailer;
}

const TRAILER_BYTES = 6 * 8;

/** Returns undefined if the end of the file does not describe a file of this size. */
async function readTrailer(read: ReadBytes, fileBytes: number): Promise<StoredText | undefined> {
  if (fileBytes < TRAILER_BYTES) return undefined;
  const trailer = await read(fileBytes - TRAILER_BYTES, TRAILER_BYTES);
  const values = Array.from({ length: 6 }, (_, index) => trailer.readDoubleLE(index * 8));
  if (!values.every((value) => Number.isSafeInteger(value) && value >= 0)) return undefined;
  const [size = 0, gapStart = 0, gapEnd = 0, breaksAfterHead = 0, headBytes = 0, tailBytes = 0] = values;
  const text = { size, gapStart, gapEnd, breaksAfterHead, capacity: { headBytes, tailBytes } };
  const isWhole = headBytes > 0 && storedBytes(text) + TRAILER_BYTES === fileBytes;
  return isWhole && gapStart <= gapEnd && gapEnd <= size ? text : undefined;
}

/** Settles as the work on a file does, with undefined if there is no such file. */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
