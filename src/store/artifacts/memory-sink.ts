import type { ArtifactInfo } from "../../core/store/artifacts.ts";
import type { ByteSink } from "./artifact-writer.ts";
import type { Capacity, StoredText, ReadBytes } from "./stored-text.ts";
import { findGap, placeOf } from "./stored-text.ts";

/** One artifact in memory: a place for its bytes, and once it is finished what is needed to read them. */
export interface MemorySink extends ByteSink {
  readonly read: ReadBytes;
  /** Undefined until it is finished, and once it is forgotten. */
  text(): StoredText | undefined;
  info(): ArtifactInfo;
  /** Bytes of memory in use. */
  size(): number;
  /** Frees the memory; what is written afterwards goes nowhere. */
  forget(): void;
}

/** Keeps bytes as head and ring in one piece of memory that grows up to the capacity; `grown` is told each time. */
export function createMemorySink(id: string, capacity: Capacity, grown: () => void): MemorySink {
  const mostBytes = capacity.headBytes + capacity.tailBytes;
  const createdAt = Date.now();
  let memory = Buffer.alloc(0);
  let size = 0;
  let text: StoredText | undefined;
  let isForgotten = false;

  const read: ReadBytes = async (position, length) => memory.subarray(position, position + length);
  const growTo = (bytes: number): void => {
    if (isForgotten || bytes <= memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(mostBytes, Math.max(bytes, memory.length * 2)));
    memory.copy(larger);
    memory = larger;
    grown();
  };
  return {
    read,
    text: () => text,
    info: () => ({ id, size, dropped: text === undefined ? 0 : text.gapEnd - text.gapStart, createdAt }),
    size: () => memory.length,

    push(bytes) {
      growTo(Math.min(mostBytes, size + bytes.length));
      const start = size;
      size += bytes.length;
      // Growing may have cost the oldest artifact its place, and that can be this one.
      if (isForgotten) return;
      for (let from = 0; from < bytes.length;) {
        const { position, room } = placeOf(start + from, capacity);
        from += bytes.copy(memory, position, from, from + room);
      }
    },
    whenReady: () => undefined,

    async finish(written) {
      if (!isForgotten) text = await findGap(read, written);
      // What growing left over is given back.
      memory = Buffer.from(memory.subarray(0, size));
      return this.info();
    },

    forget() {
      isForgotten = true;
      memory = Buffer.alloc(0);
      text = undefined;
    },
  };
}
