import { open } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../system/paths/file-fault.ts";
import { cutName, isArtifactId, wholeName } from "./artifact-names.ts";
import type { ReadableText, ReadBytes, StoredText } from "./stored-text.ts";

/** A finished artifact, open for reading. `await using` closes it. */
export interface ArtifactFile extends ReadableText, AsyncDisposable {
  readonly createdAt: number;
}

/** Opens a finished artifact; returns undefined if there is no file for the id. */
export async function openArtifact(folder: string, id: string): Promise<ArtifactFile | undefined> {
  if (!isArtifactId(id)) return undefined;
  const whole = await ignoreMissing(open(join(folder, wholeName(id)), "r"));
  const handle = whole ?? (await ignoreMissing(open(join(folder, cutName(id)), "r")));
  if (handle === undefined) return undefined;
  const read: ReadBytes = async (position, length) => {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const { size, mtimeMs } = await handle.stat();
    const text =
      whole === undefined
        ? parseTrailer(await read(size - TRAILER_BYTES, TRAILER_BYTES))
        : {
            size,
            gapStart: size,
            gapEnd: size,
            breaksAfterHead: 0,
            capacity: { headBytes: size, tailBytes: 1 },
          };
    return { text, read, createdAt: Math.floor(mtimeMs), [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Encodes the description of a gap, stored after head and ring at the end of the file. */
export function toTrailer({ size, gapStart, gapEnd, breaksAfterHead, capacity }: StoredText): Buffer {
  const values = [size, gapStart, gapEnd, breaksAfterHead, capacity.headBytes, capacity.tailBytes];
  const trailer = Buffer.alloc(TRAILER_BYTES);
  for (const [index, value] of values.entries()) trailer.writeDoubleLE(value, index * 8);
  return trailer;
}

const TRAILER_BYTES = 6 * 8;

function parseTrailer(trailer: Buffer): StoredText {
  const value = (index: number): number => trailer.readDoubleLE(index * 8);
  return {
    size: value(0),
    gapStart: value(1),
    gapEnd: value(2),
    breaksAfterHead: value(3),
    capacity: { headBytes: value(4), tailBytes: value(5) },
  };
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
