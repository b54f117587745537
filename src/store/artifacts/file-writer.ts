import { write as writeFile, writeSync } from "node:fs";
import { promisify } from "node:util";
import { placeOf, type Capacity } from "./stored-text.ts";

/**
 * Writes bytes to an open file as head and ring. Memory stays bounded: if the caller does not await `whenReady`, it falls back to
 * synchronous writes.
 */
export function createFileWriter(file: number, capacity: Capacity, mostQueuedBytes = 1024 * 1024) {
  const queue = createByteQueue(capacity);
  let failure: { readonly cause: unknown } | undefined;
  let draining: Promise<void> | undefined;
  let inFlight: readonly Segment[] = [];
  let isStale = false;

  const writeBatch = async ({ segments, release }: Batch): Promise<void> => {
    for (const [index, segment] of segments.entries()) {
      inFlight = segments.slice(index);
      do {
        isStale = false;
        await writeSegment(file, segment);
      } while (isStale);
    }
    inFlight = [];
    release();
  };
  const drain = async (): Promise<void> => {
    // Bytes pushed in the same turn are written together.
    await Promise.resolve();
    try {
      while (queue.size() > 0) await writeBatch(queue.take());
    } catch (cause) {
      failure ??= { cause };
    }
    draining = undefined;
  };
  const writeNow = (): void => {
    try {
      const { segments, release } = queue.take();
      for (const segment of segments) {
        writeSegmentNow(file, segment);
        // Older bytes in flight to the same positions must not overwrite these: they are replaced and written again.
        for (const older of inFlight) isStale = overlay(older, segment) || isStale;
      }
      release();
    } catch (cause) {
      failure ??= { cause };
    }
  };

  return {
    /** Never throws: `finish` reports a failure. */
    push(bytes: Buffer): void {
      if (failure !== undefined) return;
      queue.push(bytes);
      if (queue.size() > mostQueuedBytes) return writeNow();
      draining ??= drain();
    },
    /** Returns a promise while too much is queued, to await before pushing more; it never rejects. */
    whenReady: (): Promise<void> | undefined => (queue.size() * 4 > mostQueuedBytes ? draining : undefined),
    /** Resolves when everything is written; rejects after a failure. Do not push afterwards. */
    async finish(): Promise<void> {
      await draining;
      if (failure !== undefined) throw failure.cause;
    },
  };
}

/** Copies the overlap of two segments from the newer to the older; returns false if there is none. */
function overlay(older: Segment, newer: Segment): boolean {
  const start = Math.max(older.position, newer.position);
  const end = Math.min(older.position + older.bytes.length, newer.position + newer.bytes.length);
  if (start >= end) return false;
  newer.bytes.copy(older.bytes, start - older.position, start - newer.position, end - newer.position);
  return true;
}

const writeBytes = promisify(writeFile);

async function writeSegment(file: number, { bytes, position }: Segment): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await writeBytes(file, bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function writeSegmentNow(file: number, { bytes, position }: Segment): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

/** Bytes and their position in the storage. */
interface Segment {
  readonly bytes: Buffer;
  readonly position: number;
}

/** Bytes taken from the queue; call `release` to reuse their memory. */
interface Batch {
  readonly segments: readonly Segment[];
  readonly release: () => void;
}

/** Collects the bytes of a text and returns them with their positions in head and ring. */
function createByteQueue(capacity: Capacity) {
  const free: Buffer<ArrayBuffer>[] = [];
  let memory = Buffer.alloc(0);
  let size = 0;
  let offset = 0;
  return {
    /** Returns the number of queued bytes. */
    size: (): number => size,
    /** Copies the bytes. */
    push(bytes: Buffer): void {
      memory = grownTo(memory, size + bytes.length);
      bytes.copy(memory, size);
      size += bytes.length;
    },
    /** Removes all queued bytes, as contiguous segments. */
    take(): Batch {
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
