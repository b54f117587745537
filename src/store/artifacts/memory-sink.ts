import type { ArtifactInfo } from "../../core/store/artifacts.ts";
import {
  findGap,
  placeOf,
  type Capacity,
  type ReadBytes,
  type StoredText,
  type WrittenText,
} from "./stored-text.ts";

/** One artifact in memory. */
export type MemorySink = ReturnType<typeof createMemorySink>;

/** Holds bytes as head and ring in one buffer that grows up to the capacity; calls `grown` after each growth. */
export function createMemorySink(id: string, capacity: Capacity, grown: () => void) {
  const mostBytes = capacity.headBytes + capacity.tailBytes;
  const createdAt = Date.now();
  let memory = Buffer.alloc(0);
  let size = 0;
  let text: StoredText | undefined;
  let isDiscarded = false;

  const read: ReadBytes = async (position, length) => memory.subarray(position, position + length);
  const info = (): ArtifactInfo => {
    const dropped = text === undefined ? 0 : text.gapEnd - text.gapStart;
    return { id, size, dropped, createdAt };
  };
  const growTo = (bytes: number): void => {
    if (isDiscarded || bytes <= memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(mostBytes, Math.max(bytes, memory.length * 2)));
    memory.copy(larger);
    memory = larger;
    grown();
  };
  return {
    /** Returns undefined until it is finished, and after `discard`. */
    finished: () => (text === undefined ? undefined : { text, read, info }),
    /** Returns the bytes of memory in use. */
    size: (): number => memory.length,

    push(bytes: Buffer): void {
      growTo(Math.min(mostBytes, size + bytes.length));
      const start = size;
      size += bytes.length;
      // Growing may have discarded the oldest artifact, which can be this one.
      if (isDiscarded) return;
      for (let from = 0; from < bytes.length;) {
        const { position, room } = placeOf(start + from, capacity);
        from += bytes.copy(memory, position, from, from + room);
      }
    },
    whenReady: () => undefined,

    async finish(written: WrittenText): Promise<ArtifactInfo> {
      if (!isDiscarded) text = await findGap(read, written);
      // Frees the unused part of the buffer.
      memory = Buffer.from(memory.subarray(0, size));
      return info();
    },

    /** Frees the memory; later writes are dropped. */
    discard(): void {
      isDiscarded = true;
      memory = Buffer.alloc(0);
      text = undefined;
    },
  };
}
