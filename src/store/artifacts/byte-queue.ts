import { placeOf, type Capacity } from "./stored-text.ts";

/** Bytes and their position in the storage. */
export interface Segment {
  readonly bytes: Buffer;
  readonly position: number;
}

/** Bytes taken from the queue; call `release` to reuse their memory. */
export interface Batch {
  readonly segments: readonly Segment[];
  readonly release: () => void;
}

export interface ByteQueue {
  /** Returns the number of queued bytes. */
  size(): number;
  /** Copies the bytes. */
  push(bytes: Buffer): void;
  /** Removes all queued bytes, as contiguous segments. */
  take(): Batch;
}

/** Collects the bytes of a text and returns them with their positions in head and ring. */
export function createByteQueue(capacity: Capacity): ByteQueue {
  const free: Buffer<ArrayBuffer>[] = [];
  let memory = Buffer.alloc(0);
  let size = 0;
  let offset = 0;
  return {
    size: () => size,
    push(bytes) {
      memory = grownTo(memory, size + bytes.length);
      bytes.copy(memory, size);
      size += bytes.length;
    },
    take() {
      const taken = memory;
      const segments = toSegments(taken.subarray(0, size), offset, capacity);
      offset += size;
      size = 0;
      memory = free.pop() ?? Buffer.alloc(0);
      return { segments, release: () => free.push(taken) };
    },
  };
}

function grownTo(memory: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  if (length <= memory.length) return memory;
  const larger = Buffer.allocUnsafeSlow(Math.max(length, memory.length * 2));
  memory.copy(larger);
  return larger;
}

function toSegments(bytes: Buffer, offset: number, capacity: Capacity): readonly Segment[] {
  const segments: Segment[] = [];
  for (let from = 0; from < bytes.length;) {
    const { position, room } = placeOf(offset + from, capacity);
    segments.push({ bytes: bytes.subarray(from, from + room), position });
    from += room;
  }
  return segments;
}
