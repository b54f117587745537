import type { Capacity } from "./kept-text.ts";
import { placeOf } from "./kept-text.ts";

/** Bytes and where in the storage they belong. */
export interface Segment {
  readonly bytes: Buffer;
  readonly position: number;
}

export interface ByteQueue {
  /** Bytes that wait. */
  size(): number;
  push(bytes: Buffer): void;
  /** Everything that waits, in as few segments as its places allow. */
  take(): readonly Segment[];
}

/** Collects bytes of a text and gives them out by their places in head and ring. */
export function createByteQueue(capacity: Capacity): ByteQueue {
  let waiting: Buffer[] = [];
  let size = 0;
  let offset = 0;
  return {
    size: () => size,
    push(bytes) {
      waiting.push(bytes);
      size += bytes.length;
    },
    take() {
      const segments = toSegments(Buffer.concat(waiting), offset, capacity);
      offset += size;
      waiting = [];
      size = 0;
      return segments;
    },
  };
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
