import { close as closeFile, openSync, read as readFile, write as writeFile } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ArtifactInfo } from "../../core/store/artifacts.ts";
import type { ProcessIdentity } from "../../system/process/identity.ts";
import { toTrailer } from "./artifact-file.ts";
import { partName, storedName } from "./artifact-names.ts";
import type { ByteSink } from "./artifact-writer.ts";
import { toUnavailable } from "../database/database.ts";
import { createFileWriter } from "./file-writer.ts";
import {
  findGap,
  storedBytes,
  type Capacity,
  type StoredText,
  type ReadBytes,
  type WrittenText,
} from "./stored-text.ts";

export interface DiskSinkOptions {
  readonly id: string;
  readonly owner: ProcessIdentity;
  readonly capacity: Capacity;
  /** Returns false if there is no room for more bytes: then the artifact is not stored. */
  readonly reserve: (bytes: number) => boolean;
}

/** Writes one artifact to a partial file that is renamed once complete. `finish` rejects after a failure and leaves no file behind. */
export function createDiskSink(folder: string, { id, owner, capacity, reserve }: DiskSinkOptions): ByteSink {
  const part = join(folder, partName(id, owner));
  let file: number;
  try {
    file = openSync(part, "wx+", 0o600);
  } catch (error) {
    return createFailedSink(error);
  }
  const writer = createFileWriter(file, capacity);
  let hasRoom = true;

  const finish = async (written: WrittenText): Promise<ArtifactInfo> => {
    try {
      await writer.finish();
      if (!hasRoom)
        throw new Error("the artifacts that are being written exceed the size limit of all artifacts");
      const text = await complete(file, written);
      const dropped = text.gapEnd - text.gapStart;
      const { mtimeMs } = await stat(part);
      await rename(part, join(folder, storedName(id)));
      return { id, size: text.size, dropped, createdAt: Math.floor(mtimeMs) };
    } finally {
      await close(file);
    }
  };
  return {
    push(bytes) {
      hasRoom &&= reserve(bytes.length);
      if (hasRoom) writer.push(bytes);
    },
    whenReady: () => writer.whenReady(),
    async finish(written) {
      try {
        return await finish(written);
      } catch (error) {
        await rm(part, { force: true });
        throw notStored(error);
      }
    },
  };
}

function createFailedSink(cause: unknown): ByteSink {
  return {
    push: () => {},
    whenReady: () => undefined,
    async finish() {
      throw notStored(cause);
    },
  };
}

function notStored(error: unknown): Error {
  return toUnavailable(error, "the artifact cannot be stored");
}

const close = promisify(closeFile);
const readBytes = promisify(readFile);
const writeBytes = promisify(writeFile);

/** Finds the gap, and writes the trailer that describes the text. */
async function complete(file: number, written: WrittenText): Promise<StoredText> {
  const read: ReadBytes = async (position, length) => {
    const { buffer, bytesRead } = await readBytes(file, Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  const text = await findGap(read, written);
  const trailer = toTrailer(text);
  await writeBytes(file, trailer, 0, trailer.length, storedBytes(text));
  return text;
}
