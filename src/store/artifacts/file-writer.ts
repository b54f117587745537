import { write as writeFile, writeSync } from "node:fs";
import { promisify } from "node:util";
import { createByteQueue, type Batch, type Segment } from "./byte-queue.ts";
import type { Capacity } from "./stored-text.ts";

export interface FileWriter {
  /** Never throws: `finish` reports a failure. */
  push(bytes: Buffer): void;
  /** Returns a promise while too much is queued, to await before pushing more; it never rejects. */
  whenReady(): Promise<void> | undefined;
  /** Resolves when everything is written; rejects after a failure. Do not push afterwards. */
  finish(): Promise<void>;
}

/**
 * Writes bytes to an open file as head and ring. Memory stays bounded: if the caller does not await `whenReady`, it falls back to
 * synchronous writes.
 */
export function createFileWriter(
  file: number,
  capacity: Capacity,
  mostQueuedBytes = 1024 * 1024,
): FileWriter {
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
    push(bytes) {
      if (failure !== undefined) return;
      queue.push(bytes);
      if (queue.size() > mostQueuedBytes) return writeNow();
      draining ??= drain();
    },
    whenReady: () => (queue.size() * 4 > mostQueuedBytes ? draining : undefined),
    async finish() {
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
